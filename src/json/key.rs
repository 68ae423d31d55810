//! The words the protocol uses, numbered, so that an implementation may keep them ready in its own form.

macro_rules! keys {
    ($($variant:ident = $name:literal),+ $(,)?) => {
        /// A member name, or a word, that the protocol uses.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[allow(missing_docs, reason = "each variant is documented by its own name on the wire")]
        pub enum Key { $($variant),+ }

        impl Key {
            /// Every key, in the order of their numbers.
            pub const ALL: &'static [Key] = &[$(Key::$variant),+];

            /// Every name, each on a line of its own, in the same order.
            pub const LINES: &'static str = concat!($($name, "\n"),+);

            /// The name on the wire.
            pub fn name(self) -> &'static str {
                const NAMES: &[&str] = &[$($name),+];
                NAMES.get(self as usize).copied().unwrap_or_default()
            }
        }
    };
}

keys! {
    Annotations = "annotations",
    Arguments = "arguments",
    CacheScope = "cacheScope",
    Cancelled = "notifications/cancelled",
    Capabilities = "capabilities",
    ClientCapabilities = "io.modelcontextprotocol/clientCapabilities",
    ClientInfo = "clientInfo",
    Code = "code",
    Complete = "complete",
    ConsequentialHint = "consequentialHint",
    Content = "content",
    Cursor = "cursor",
    Data = "data",
    Debugging = "debugging",
    Description = "description",
    DestructiveHint = "destructiveHint",
    Discover = "server/discover",
    Empty = "",
    Error = "error",
    Icons = "icons",
    Id = "id",
    IdempotentHint = "idempotentHint",
    Initialize = "initialize",
    Initialized = "notifications/initialized",
    InputSchema = "inputSchema",
    Instructions = "instructions",
    IsError = "isError",
    JsonRpc = "jsonrpc",
    ListChanged = "listChanged",
    LogLevel = "io.modelcontextprotocol/logLevel",
    Message = "message",
    Meta = "_meta",
    MetaClientInfo = "io.modelcontextprotocol/clientInfo",
    MetaProtocolVersion = "io.modelcontextprotocol/protocolVersion",
    MetaServerInfo = "io.modelcontextprotocol/serverInfo",
    Method = "method",
    Name = "name",
    NextCursor = "nextCursor",
    Object = "object",
    OpenWorldHint = "openWorldHint",
    OutputSchema = "outputSchema",
    Params = "params",
    Ping = "ping",
    Private = "private",
    Progress = "progress",
    ProgressNotice = "notifications/progress",
    ProgressToken = "progressToken",
    ProtocolVersion = "protocolVersion",
    ReadOnlyHint = "readOnlyHint",
    Reason = "reason",
    Requested = "requested",
    RequestId = "requestId",
    RequiredCapabilities = "requiredCapabilities",
    Result = "result",
    ResultType = "resultType",
    ServerInfo = "serverInfo",
    Stateless = "2026-07-28",
    StructuredContent = "structuredContent",
    Supported = "supported",
    SupportedVersions = "supportedVersions",
    Text = "text",
    Title = "title",
    Tools = "tools",
    ToolsCall = "tools/call",
    ToolsList = "tools/list",
    ToolsListChanged = "notifications/tools/list_changed",
    Total = "total",
    TtlMs = "ttlMs",
    Two = "2.0",
    Type = "type",
    UntrustedContentHint = "untrustedContentHint",
    Version = "version",
}
