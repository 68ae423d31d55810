//! Kitchen timers in plain wasm-bindgen. What the page can do, an agent can do: by tools that come and go with
//! the timers, and with the switch that lets agents in.

mod kitchen;
mod tools;
mod view;

use gloo_timers::callback::Interval;
use kitchen::Kitchen;
use std::cell::RefCell;
use std::rc::Rc;
use tools::Agents;
use view::View;
use wasm_bindgen::prelude::*;

/// The page: as long as this lives, it works.
struct Page {
    _view: View,
    _tick: Interval,
}

thread_local! {
    static PAGE: RefCell<Option<Page>> = const { RefCell::new(None) };
}

fn main() -> Result<(), JsValue> {
    let document = web_sys::window().and_then(|window| window.document()).ok_or("no document")?;
    let kitchen = Rc::new(Kitchen::default());
    let agents = Agents::of(&document, &kitchen);
    let view = View::new(&document, &kitchen, &agents)?;

    let (shown, changed) = (view.clone(), agents.clone());
    kitchen.on_change(move || {
        shown.show_timers();
        changed.follow_timers();
    });
    agents.set_invited(true);
    let ticking = view.clone();
    let tick = Interval::new(250, move || ticking.show_times());
    PAGE.set(Some(Page { _view: view, _tick: tick }));
    Ok(())
}
