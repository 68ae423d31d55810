//! What the page shows, and what people do with it.

use crate::kitchen::{Kitchen, Timer};
use crate::tools::Agents;
use gloo_events::{EventListener, EventListenerOptions};
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen::prelude::*;
use web_sys::{Document, Element, Event, HtmlElement, HtmlInputElement};

const BODY: &str = r#"<main>
  <h1>Kitchen timers</h1>
  <p>Plain wasm-bindgen. An agent may start, list, stop and wait for them.</p>
  <form>
    <label class="wide">For <input type="text" name="label" required maxlength="60" autocomplete="off"></label>
    <label>Seconds <input type="number" name="seconds" value="60" min="1" max="86400" required></label>
    <button>Start</button>
  </form>
  <p class="notice" role="status"></p>
  <ul class="list" aria-label="Timers"></ul>
  <label class="switch"><input type="checkbox" name="agents" checked> Agents may use this page</label>
</main>"#;

/// The page's elements and listeners; clones show the same.
#[derive(Clone)]
pub struct View {
    kitchen: Rc<Kitchen>,
    document: Document,
    list: Element,
    notice: Element,
    listeners: Rc<RefCell<Vec<EventListener>>>,
}

impl View {
    pub fn new(document: &Document, kitchen: &Rc<Kitchen>, agents: &Agents) -> Result<Self, JsValue> {
        let body = document.body().ok_or("no body")?;
        body.set_inner_html(BODY);
        let find = |selector: &str| body.query_selector(selector)?.ok_or_else(|| JsValue::from_str(selector));
        let view = View {
            kitchen: kitchen.clone(),
            document: document.clone(),
            list: find(".list")?,
            notice: find(".notice")?,
            listeners: Rc::default(),
        };
        let (label, seconds): (HtmlInputElement, HtmlInputElement) =
            (find("[name=label]")?.dyn_into()?, find("[name=seconds]")?.dyn_into()?);
        let (form, switch): (Element, HtmlInputElement) = (find("form")?, find("[name=agents]")?.dyn_into()?);

        let (starting, notice) = (kitchen.clone(), view.notice.clone());
        view.listen(&form, "submit", move |event| {
            event.prevent_default();
            let started = starting.start(&label.value(), seconds.value_as_number());
            notice.set_text_content(started.err());
            if started.is_ok() {
                label.set_value("");
            }
            drop(label.focus());
        });
        let stopping = kitchen.clone();
        view.listen(&view.list, "click", move |event| {
            let button = event.target().and_then(|target| target.dyn_into::<HtmlElement>().ok());
            if let Some(label) = button.and_then(|button| button.dataset().get("label")) {
                // It may have been stopped by an agent at the same moment.
                drop(stopping.stop(&label));
            }
        });
        let (agents, asked) = (agents.clone(), switch.clone());
        if !agents.can_come() {
            switch.set_disabled(true);
            switch.set_checked(false);
        }
        view.listen(&switch, "change", move |_| agents.set_invited(asked.checked()));
        Ok(view)
    }

    /// Shows which timers there are.
    pub fn show_timers(&self) {
        self.list.set_inner_html("");
        for timer in self.kitchen.timers() {
            // Elements of a live document can always be made and put together.
            drop(self.add_row(&timer));
        }
        self.show_times();
    }

    /// Shows how long they run. Only what differs is touched, so that screen readers are left in peace.
    pub fn show_times(&self) {
        let mut ringing = Vec::new();
        for (place, timer) in self.kitchen.timers().iter().enumerate() {
            if timer.is_ringing() {
                ringing.push(timer.label.clone());
            }
            let Some(row) = self.list.children_at(place) else { continue };
            set_attribute(&row, "data-ringing", if timer.is_ringing() { "true" } else { "false" });
            if let Ok(Some(time)) = row.query_selector(".time") {
                let left = timer.left().ceil();
                let words = if timer.is_ringing() {
                    "rings".to_owned()
                } else {
                    format!("{}:{:02}", (left / 60.0).floor(), left % 60.0)
                };
                set_text(&time, &words);
            }
        }
        if !ringing.is_empty() {
            set_text(&self.notice, &format!("Ready: {}", ringing.join(", ")));
        } else if self.notice.text_content().is_some_and(|text| text.starts_with("Ready: ")) {
            set_text(&self.notice, "");
        }
    }

    fn add_row(&self, timer: &Timer) -> Result<(), JsValue> {
        let row = self.document.create_element("li")?;
        for (tag, class, text) in [("span", "name", &*timer.label), ("span", "time", ""), ("button", "quiet", "Stop")] {
            let part = self.document.create_element(tag)?;
            part.set_class_name(class);
            part.set_text_content(Some(text));
            if tag == "button" {
                part.set_attribute("data-label", &timer.label)?;
                part.set_attribute("aria-label", &format!("Stop {}", timer.label))?;
            }
            row.append_child(&part)?;
        }
        self.list.append_child(&row)?;
        Ok(())
    }

    fn listen(&self, target: &Element, event: &'static str, hear: impl Fn(&Event) + 'static) {
        let options = EventListenerOptions::enable_prevent_default();
        let listener = EventListener::new_with_options(target, event, options, move |event| hear(event));
        self.listeners.borrow_mut().push(listener);
    }
}

/// The rows of a list by their place.
trait Rows {
    fn children_at(&self, place: usize) -> Option<Element>;
}

impl Rows for Element {
    fn children_at(&self, place: usize) -> Option<Element> {
        self.children().item(u32::try_from(place).ok()?)
    }
}

fn set_text(element: &Element, text: &str) {
    if element.text_content().as_deref() != Some(text) {
        element.set_text_content(Some(text));
    }
}

fn set_attribute(element: &Element, name: &str, value: &str) {
    if element.get_attribute(name).as_deref() != Some(value) {
        drop(element.set_attribute(name, value));
    }
}
