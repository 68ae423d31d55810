//! What a client connects over, and a server serves: a port, two ends in one page, or any object that carries.

use super::tool::into_script;
use crate::core::error::Error;
use serde::Serialize;
use wasm_bindgen::prelude::*;

/// A carrier of messages, for [`Client::connect`](crate::Client::connect) and
/// [`Server::serve`](crate::Server::serve) (MCP, basic/transports: "Custom Transports").
///
/// ```no_run
/// use modelport::{Client, Error, Server, ToolManager, Transport};
///
/// # async fn example(tools: ToolManager, worker: web_sys::Worker) -> Result<(), Error> {
/// // A server in a worker, and its client here.
/// let client = Client::builder("page", "1.0.0").build();
/// client.connect(Transport::port(&worker)).await?;
///
/// // Both in one page.
/// let (here, there) = Transport::pair()?;
/// let server = Server::builder(&tools, "box-office", "1.0.0").build();
/// server.serve(there).await?;
/// let client = Client::builder("page", "1.0.0").build();
/// client.connect(here).await?;
/// # Ok(()) }
/// ```
#[derive(Clone, Debug)]
pub struct Transport(pub(super) Carrier);

#[derive(Clone, Debug)]
pub(super) enum Carrier {
    Port(JsValue, JsValue),
    Script(JsValue),
}

impl Transport {
    /// A `MessagePort`, a `Worker`, or a worker's own scope. What was queued before arrives in order.
    pub fn port(port: &impl AsRef<JsValue>) -> Self {
        Transport(Carrier::Port(port.as_ref().clone(), JsValue::UNDEFINED))
    }

    /// The same with the options of JavaScript's `MessagePortTransport`, such as
    /// `json!({ "transfer": true, "window": 8 })`; README, "MessagePort", says what they do.
    pub fn port_with(port: &impl AsRef<JsValue>, options: &impl Serialize) -> Result<Self, Error> {
        Ok(Transport(Carrier::Port(port.as_ref().clone(), into_script(options)?)))
    }

    /// The two ends of a channel within this page.
    pub fn pair() -> Result<(Self, Self), Error> {
        let channel = web_sys::MessageChannel::new()?;
        Ok((Transport::port(&channel.port1()), Transport::port(&channel.port2())))
    }

    /// Any JavaScript object with the official SDK's `Transport` interface: `start`, `send`, `close`, `onmessage`,
    /// `onerror`, `onclose`. The `HttpTransport` and the `WebSocketTransport` of the npm package are such.
    pub fn from_js(carrier: JsValue) -> Self {
        Transport(Carrier::Script(carrier))
    }
}
