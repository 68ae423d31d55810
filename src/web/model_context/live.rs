//! Adopted tools that follow the registry: they come, change and go with their owners.

use super::adopt::AdoptOptions;
use super::{Inner, ModelContext, raw};
use crate::core::error::Error;
use crate::core::webmcp;
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
    tools: ToolManager,
    known: RefCell<webmcp::Live>,
    refreshing: Cell<bool>,
    stale: Cell<bool>,
    stopped: Cell<bool>,
    /// Stops watching for frames that come and go, of which the browser tells nothing.
    unwatch: RefCell<JsValue>,
    watcher: RefCell<Option<Closure<dyn Fn()>>>,
}

impl ModelContext {
    /// Fills a manager with the registry's tools and keeps it so. Resolves after the first listing.
    /// Tools that this bridge published stay out: they would come back to where they came from.
    pub async fn adopt_live(&self, options: AdoptOptions, tools: ToolManager) -> Result<(), JsValue> {
        let live = Rc::new(Live {
            inner: Rc::downgrade(&self.inner),
            options,
            tools,
            known: RefCell::default(),
            refreshing: Cell::new(true),
            stale: Cell::new(false),
            stopped: Cell::new(false),
            unwatch: RefCell::default(),
            watcher: RefCell::default(),
        });
        self.inner.hear_changes();
        self.inner.live.borrow_mut().push(live.clone());
        let weak = Rc::downgrade(&live);
        let watcher = Closure::<dyn Fn()>::new(move || {
            if let Some(live) = weak.upgrade() {
                live.refresh();
            }
        });
        live.unwatch.replace(raw::watch_frames(&self.inner.document, watcher.as_ref()));
        live.watcher.replace(Some(watcher));
        let first = live.list().await;
        live.refreshing.set(false);
        match first {
            Ok(()) if live.stale.get() => live.refresh(),
            Ok(()) => {}
            Err(error) => {
                live.stop();
                self.inner.live.borrow_mut().retain(|other| !Rc::ptr_eq(other, &live));
                return Err(error);
            }
        }
        Ok(())
    }
}

impl Live {
    /// Looks again. A burst takes two listings at most: the one under way and one more.
    pub fn refresh(self: &Rc<Self>) {
        if self.stopped.get() {
            return;
        }
        if self.refreshing.replace(true) {
            self.stale.set(true);
            return;
        }
        let live = self.clone();
        crate::web::spawn::spawn(async move {
            loop {
                live.stale.set(false);
                // A listing that fails leaves the tools as they are; the next change looks again.
                let _ = live.list().await;
                if !live.stale.get() || live.stopped.get() {
                    break;
                }
            }
            live.refreshing.set(false);
        });
    }

    /// Lets go of every tool.
    pub fn stop(&self) {
        self.stopped.set(true);
        let unwatch = self.unwatch.replace(JsValue::UNDEFINED);
        if let Ok(unwatch) = unwatch.dyn_into::<js_sys::Function>() {
            drop(unwatch.call0(&JsValue::UNDEFINED));
        }
        self.watcher.borrow_mut().take();
        self.tools.clear();
    }

    async fn list(&self) -> Result<(), JsValue> {
        let Some(inner) = self.inner.upgrade() else { return Ok(()) };
        let context = ModelContext { inner };
        let filter =
            context.filter(&self.options).map_err(|refusal| to_js(&Error::new(refusal.code, refusal.reason)))?;
        let listed = context.list(&self.options).await?;
        if self.stopped.get() {
            return Ok(());
        }
        let (records, listing) = context.read(&listed, filter.window);
        let difference = self.known.borrow_mut().update(&listing, &filter);
        for name in &difference.removed {
            self.tools.remove(name);
        }
        for tool in difference.changed.iter().chain(&difference.added) {
            let script = records.get(tool.index).map(|record| context.adopted(tool, record, &self.options));
            // What an owner wrote was checked when it was read, so the tool is one a manager takes.
            if let Some(Ok(tool)) = script.map(from_script) {
                self.tools.add(tool);
            }
        }
        Ok(())
    }
}
