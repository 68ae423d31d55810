//! The bridge as a Rust front end uses it: futures, and errors that `?` takes.

use super::{AdoptOptions, Event, ModelContext, raw};
use crate::core::code::Code;
use crate::core::error::Error;
use crate::core::webmcp::{Options, Report};
use crate::json::Json;
use crate::web::spawn::{awaited, channel};
use crate::web::tool::Tool;
use crate::web::tools::ToolManager;
use std::future::Future;
use std::rc::Rc;

/// Whether a document's registry can be used ([`ModelContext::probe`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Availability {
    /// It is there and answers.
    Ready,
    /// This browser has none.
    Absent,
    /// WebMCP needs a secure context.
    Insecure,
    /// The permissions policy `tools` keeps the document out.
    BlockedByPolicy,
    /// The page is served with `Origin-Agent-Cluster: ?0`.
    NotOriginKeyed,
    /// The document is not fully active, or has no window.
    Inactive,
}

impl ModelContext {
    /// The bridge of a document, or `None` if the document has no registry (WebMCP, `Document.modelContext`).
    /// Never touches the registry of a document without a window.
    ///
    /// ```no_run
    /// use modelport::{Error, ModelContext, ToolManager};
    ///
    /// # async fn example(tools: ToolManager) -> Result<(), Error> {
    /// let document = web_sys::window().and_then(|window| window.document());
    /// if let Some(bridge) = document.as_ref().and_then(ModelContext::of) {
    ///     let report = bridge.publish(&tools).await?;
    ///     for (tool, refusal) in report.skipped.iter().chain(&report.blocked) {
    ///         // `refusal.code` is the reason to branch on, `refusal.reason` the one for people.
    ///     }
    /// }
    /// # Ok(()) }
    /// ```
    pub fn of(document: &web_sys::Document) -> Option<ModelContext> {
        ModelContext::open(document, Rc::new(|_| ()))
    }

    /// The bridge of the page's own document; `None` if that has no registry, and in a worker.
    pub fn current() -> Option<ModelContext> {
        ModelContext::open(&ModelContext::current_document(), Rc::new(|_| ()))
    }

    /// The bridge of a document, which tells of calls and changes.
    pub fn with_events(document: &web_sys::Document, on_event: impl Fn(Event) + 'static) -> Option<ModelContext> {
        let bridge = ModelContext::open(document, Rc::new(on_event))?;
        bridge.hear_calls();
        Some(bridge)
    }

    /// Whether a document's registry can be used, and a sentence that says what to do about it.
    pub async fn probe(document: &web_sys::Document) -> (Availability, String) {
        let found = awaited(|done| raw::when(&raw::probe(document), done)).await;
        let mut words = found.and_then(Result::ok).and_then(|found| found.items()).unwrap_or_default().into_iter();
        let mut next = || words.next().and_then(|word| word.as_string()).unwrap_or_default();
        let availability = match next().as_str() {
            "ready" => Availability::Ready,
            "absent" => Availability::Absent,
            "insecure" => Availability::Insecure,
            "blocked-by-policy" => Availability::BlockedByPolicy,
            "not-origin-keyed" => Availability::NotOriginKeyed,
            _ => Availability::Inactive,
        };
        (availability, next())
    }

    /// Registers a manager's tools as they are at the call, and follows the manager from then on
    /// (WebMCP, `registerTool`). What could not be registered is in the report, with the reason for each tool.
    pub fn publish(&self, tools: &ToolManager) -> impl Future<Output = Result<Report, Error>> + use<> {
        self.publish_with(tools, Options::default())
    }

    /// The same by other rules. The error is [`Code::OriginRefused`] for origins that may not be named,
    /// [`Code::Closed`] for a bridge that was destroyed, and with `strict` the reason why the first tool that is
    /// not registered is not; [`ModelContext::status`] then has the rest.
    pub fn publish_with(
        &self,
        tools: &ToolManager,
        options: Options,
    ) -> impl Future<Output = Result<Report, Error>> + use<> {
        let (done, published) = channel();
        // Not in the future: it is polled a microtask later, when the manager may hold other tools.
        self.publish_then(tools, options, Box::new(move |report, failed| done((report, failed))));
        async move {
            match published.await {
                Some((report, None)) => Ok(report),
                Some((_, Some(error))) => Err(error),
                None => Err(Error::new(Code::Closed, "the bridge is gone")),
            }
        }
    }

    /// The tools the registry lists, those of other documents included, as ones that can be called
    /// (WebMCP, `getTools` and `executeTool`). The error is one of the gates a document may stand before, such as
    /// [`Code::BlockedByPolicy`].
    pub async fn adopt(&self, options: AdoptOptions) -> Result<Vec<Tool>, Error> {
        let adopted = awaited(|done| self.adopt_then(options, done)).await;
        Ok(adopted.ok_or_else(gone)??.into_iter().map(Tool::from_js).collect())
    }

    /// The same as a manager that follows the registry until the bridge ends. Tools that this bridge published
    /// stay out: they would come back to where they came from.
    pub async fn adopt_live(&self, options: AdoptOptions) -> Result<ToolManager, Error> {
        let tools = ToolManager::new();
        awaited(|done| self.adopt_live_then(options, tools.clone(), done)).await.ok_or_else(gone)??;
        Ok(tools)
    }
}

fn gone() -> Error {
    Error::new(Code::Closed, "the bridge is gone")
}
