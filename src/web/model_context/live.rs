//! Adopted tools that follow the registry: they come, change and go with their owners.

use super::adopt::{AdoptOptions, unlisted};
use super::raw::{self, Looker, Stop};
use super::{Inner, ModelContext};
use crate::core::error::Error;
use crate::core::webmcp;
use crate::core::webmcp::Filter;
use crate::web::error::to_js;
use crate::web::tool::from_script;
use crate::web::tools::ToolManager;
use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};
use wasm_bindgen::prelude::*;

/// One live adoption.
pub struct Live {
    inner: Weak<Inner>,
    options: AdoptOptions,
    filter: Filter,
    tools: ToolManager,
    known: RefCell<webmcp::Live>,
    looker: Looker,
    stopped: Cell<bool>,
    /// Stops watching for frames that come and go, of which the browser tells nothing.
    unwatch: Stop,
}

impl ModelContext {
    /// Fills a manager with the registry's tools and keeps it so; `done` is called after the first listing.
    /// Tools that this bridge published stay out: they would come back to where they came from.
    pub(crate) fn adopt_live_then(
        &self,
        options: AdoptOptions,
        tools: ToolManager,
        done: impl FnOnce(Result<(), JsValue>) + 'static,
    ) {
        let filter = match self.filter(&options) {
            Ok(filter) => filter,
            Err(refusal) => return done(Err(to_js(&Error::new(refusal.code, refusal.reason)))),
        };
        let live = Rc::new_cyclic(|weak: &Weak<Live>| {
            let live = weak.clone();
            let take = raw::hook(move |_, listed, _, _, _| {
                if let Some(live) = live.upgrade() {
                    live.take(&listed);
                }
            });
            let looker = raw::new_looker(&self.inner.registry, &options.wanted(), &take);
            Live {
                inner: Rc::downgrade(&self.inner),
                unwatch: raw::watch_frames(&self.inner.document, &looker),
                options,
                filter,
                tools,
                known: RefCell::default(),
                looker,
                stopped: Cell::new(false),
            }
        });
        self.inner.hear_changes();
        self.inner.live.borrow_mut().push(live.clone());
        raw::when(&live.refresh(), move |first| {
            done(first.map(drop).map_err(|thrown| {
                live.stop();
                if let Some(inner) = live.inner.upgrade() {
                    inner.live.borrow_mut().retain(|other| !Rc::ptr_eq(other, &live));
                }
                unlisted(&thrown, &live.options)
            }));
        });
    }
}

impl Live {
    /// Looks again. What comes back resolves when that is done.
    pub fn refresh(&self) -> JsValue {
        self.looker.call0(&JsValue::UNDEFINED).unwrap_or_default()
    }

    /// Lets go of every tool.
    pub fn stop(&self) {
        if !self.stopped.replace(true) {
            drop(self.unwatch.call0(&JsValue::UNDEFINED));
            self.tools.clear();
        }
    }

    /// Takes in a listing.
    fn take(&self, listed: &JsValue) {
        let Some(inner) = self.inner.upgrade().filter(|_| !self.stopped.get()) else { return };
        let context = ModelContext { inner };
        let (records, listing) = context.read(listed, self.filter.window);
        let difference = self.known.borrow_mut().update(&listing, &self.filter);
        for name in &difference.removed {
            self.tools.remove(name);
        }
        for tool in difference.changed.iter().chain(&difference.added) {
            let Some(record) = records.get(tool.index) else { continue };
            // What an owner wrote was checked when it was read, so the tool is one a manager takes.
            if let Ok(tool) = from_script(context.adopted(tool, record, &self.options, &self.looker.busy())) {
                self.tools.put(tool);
            }
        }
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        drop(self.unwatch.call0(&JsValue::UNDEFINED));
    }
}
