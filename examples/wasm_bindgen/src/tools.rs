//! What agents can do here.

use crate::kitchen::Kitchen;
use gloo_timers::future::TimeoutFuture;
use modelport::{Error, ModelContext, NoArguments, Progress, Tool, ToolGuard, ToolManager};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::cell::RefCell;
use std::rc::Rc;
use web_sys::Document;

#[derive(Deserialize, JsonSchema)]
struct Start {
    /// What the timer is for, such as "pasta".
    label: String,
    /// How long it runs.
    #[schemars(range(min = 1, max = 86400))]
    seconds: f64,
}

#[derive(Deserialize, JsonSchema)]
struct Which {
    /// The label the timer was started with.
    label: String,
}

#[derive(Serialize, JsonSchema)]
struct Timers {
    timers: Vec<Shown>,
}

#[derive(Serialize, JsonSchema)]
struct Shown {
    label: String,
    seconds_left: f64,
    ringing: bool,
}

/// The way in for agents.
#[derive(Clone)]
pub struct Agents {
    document: Document,
    kitchen: Rc<Kitchen>,
    tools: ToolManager,
    /// Published as long as it is here.
    bridge: Rc<RefCell<Option<ModelContext>>>,
    /// The tools about a timer, which are there as long as there is one.
    guards: Rc<RefCell<Vec<ToolGuard>>>,
}

impl Agents {
    pub fn of(document: &Document, kitchen: &Rc<Kitchen>) -> Self {
        let agents = Agents {
            document: document.clone(),
            kitchen: kitchen.clone(),
            tools: ToolManager::new(),
            bridge: Rc::default(),
            guards: Rc::default(),
        };
        complain(agents.add_standing());
        agents
    }

    /// Whether this browser has a registry of tools.
    pub fn can_come(&self) -> bool {
        self.bridge.borrow().is_some() || ModelContext::of(&self.document).is_some()
    }

    /// Publishes the tools, or takes them back.
    pub fn set_invited(&self, invited: bool) {
        let bridge = invited.then(|| ModelContext::of(&self.document)).flatten();
        if let Some(bridge) = bridge.clone() {
            let publishing = bridge.publish(&self.tools);
            wasm_bindgen_futures::spawn_local(async move { complain(publishing.await.map(drop)) });
        }
        self.bridge.replace(bridge);
    }

    /// The tools about a timer come with the first one and go with the last.
    pub fn follow_timers(&self) {
        let has_timers = !self.kitchen.timers().is_empty();
        if !has_timers {
            self.guards.take();
        } else if self.guards.borrow().is_empty() {
            complain(self.add_passing());
        }
    }

    fn add_standing(&self) -> Result<(), Error> {
        let kitchen = self.kitchen.clone();
        self.tools.add(
            Tool::new("start_timer")
                .description("Starts a kitchen timer, in place of one with the same label")
                .typed(async move |Start { label, seconds }, _| {
                    kitchen.start(&label, seconds)?;
                    Ok(format!("\"{label}\" runs for {seconds} s."))
                })
                .checked(),
        )?;
        let kitchen = self.kitchen.clone();
        self.tools.add(
            Tool::new("list_timers")
                .description("The kitchen timers, and how long each still runs")
                .annotations(&Hints { read_only_hint: true })
                .output::<Timers>()
                .handler_sync(move |_: NoArguments, _| {
                    let timers = kitchen.timers().into_iter();
                    let shown = |timer: crate::kitchen::Timer| Shown {
                        seconds_left: timer.left().ceil(),
                        ringing: timer.is_ringing(),
                        label: timer.label,
                    };
                    Ok(Timers { timers: timers.map(shown).collect() })
                }),
        )
    }

    fn add_passing(&self) -> Result<(), Error> {
        let kitchen = self.kitchen.clone();
        let stop = Tool::new("stop_timer")
            .description("Stops a kitchen timer, whether it runs or rings")
            .typed(async move |Which { label }, _| Ok(kitchen.stop(&label)?));
        let kitchen = self.kitchen.clone();
        let wait = Tool::new("wait_for_timer").description("Waits until a kitchen timer rings").typed(
            async move |Which { label }, cx| loop {
                let timer = kitchen.timers().into_iter().find(|timer| timer.label == label);
                let Some(timer) = timer else { return Err(format!("\"{label}\" was stopped.").into()) };
                if timer.is_ringing() {
                    return Ok(format!("\"{label}\" rings."));
                }
                cx.progress(Progress::new(timer.seconds - timer.left()).of(timer.seconds));
                TimeoutFuture::new(250).await;
            },
        );
        let guards = vec![self.tools.add_scoped(stop)?, self.tools.add_scoped(wait)?];
        self.guards.replace(guards);
        Ok(())
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Hints {
    read_only_hint: bool,
}

fn complain(outcome: Result<(), Error>) {
    if let Err(error) = outcome {
        wasm_bindgen::throw_str(&format!("{}: {error}", error.code));
    }
}
