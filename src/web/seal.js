// Sealing the state a stateless peer carries from one request to the next: nobody else can read or
// make one, it is bound to the request it continues, it expires, and it opens once.

// States that may be opened within their lifetime.
const MOST = 65_536;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

const toText = (bytes) => btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
const toBytes = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));

// The platform's own cipher, with a key that lives as long as this server.
const cipher = () => {
  let key;
  const ready = () => (key ??= crypto.subtle.generateKey({ name: "AES-GCM", length: 256 }, false, ["encrypt", "decrypt"]));
  const algorithm = (iv, bound) => ({ name: "AES-GCM", iv, additionalData: encoder.encode(bound) });
  return {
    async seal(text, bound) {
      const iv = crypto.getRandomValues(new Uint8Array(12));
      const sealed = new Uint8Array(await crypto.subtle.encrypt(algorithm(iv, bound), await ready(), encoder.encode(text)));
      return `${toText(iv)}.${toText(sealed)}`;
    },
    async open(sealed, bound) {
      const [iv, bytes] = sealed.split(".").map(toBytes);
      return decoder.decode(await crypto.subtle.decrypt(algorithm(iv, bound), await ready(), bytes));
    },
  };
};

// Members in the order of their names, as a peer may send the same request with them in another.
const canonical = (value) => {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(canonical);
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, member]) => [name, canonical(member)]));
};

const bind = (caller, bound) => JSON.stringify([caller, canonical(JSON.parse(JSON.stringify(bound)))]);

// `sealer` is somebody's own `{ seal(text, bound), open(sealed, bound) }`, or nothing.
export const newSealer = (sealer, lifetime) => ({ sealer: sealer ?? cipher(), lifetime, spent: new Map() });

// Gives the sealed text, or undefined where that is not possible.
export const seal = ({ sealer, lifetime }, caller, text, bound, done) => {
  const made = async () => sealer.seal(JSON.stringify([Date.now() + lifetime, crypto.getRandomValues(new Uint32Array(4)).join(), text]), bind(caller, bound));
  made().then(done, () => done(undefined));
};

// Gives what was sealed, or undefined for what was not sealed for this, is too old or was opened before.
export const open = ({ sealer, spent }, caller, sealed, bound, done) => {
  const opened = async () => {
    const [until, once, text] = JSON.parse(await sealer.open(sealed, bind(caller, bound)));
    const now = Date.now();
    for (const [old, end] of spent) if (end < now) spent.delete(old);
    // With more than anybody honest would open in that time, none opens rather than one twice.
    if (!(until >= now) || spent.has(once) || spent.size >= MOST) return undefined;
    spent.set(once, until);
    return String(text);
  };
  opened().then(done, () => done(undefined));
};
