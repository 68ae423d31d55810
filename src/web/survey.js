// One look through a value that is about to travel, or has: whether JSON has a form for all of it, how
// large it is, and in which form it travels best.

// What `marks` says. JSON makes something else of a part, as of a Date or of a member that is undefined.
const UNUSUAL = 1;
// There are bytes where MCP has them, as Base64.
export const BINARY = 2;

const tag = (value) => (typeof value === "object" ? Object.prototype.toString.call(value).slice(8, -1) : typeof value);

const isBytes = (value) => value instanceof ArrayBuffer || ArrayBuffer.isView(value);

// Whether the look may go on; where it may not, `seen` says why, and the names on the way out make the path.
const look = (value, depth, seen) => {
  seen.count++;
  switch (typeof value) {
    case "string":
      seen.length += value.length;
      return true;
    case "boolean":
      return true;
    case "number":
      if (!Number.isFinite(value)) seen.marks |= UNUSUAL;
      return true;
    case "undefined":
      seen.marks |= UNUSUAL;
      return true;
    case "object":
      if (value === null) return true;
      if (depth < 1 || seen.count > seen.values) {
        seen.isBeyond = true;
        return false;
      }
      return Array.isArray(value) ? lookAtItems(value, depth, seen) : lookAtMembers(value, depth, seen);
    default:
      seen.odd = tag(value);
      return false;
  }
};

const lookAtItems = (items, depth, seen) => {
  for (let place = 0; place < items.length; place++) {
    if (look(items[place], depth - 1, seen)) {
      if (seen.isOurs && items[place] === undefined) items[place] = null;
      continue;
    }
    (seen.path ??= []).push(place);
    return false;
  }
  return true;
};

const lookAtMembers = (object, depth, seen) => {
  const prototype = Object.getPrototypeOf(object);
  if (prototype !== Object.prototype && prototype !== null) {
    if (!seen.isOurs && typeof object.toJSON === "function") {
      seen.marks |= UNUSUAL;
      return true;
    }
    // A page's own classes, and plain objects of other realms, are as good as plain ones.
    const what = tag(object);
    if (/^(String|Number|Boolean)$/.test(what) && !seen.isOurs) seen.marks |= UNUSUAL;
    else if (what !== "Object") {
      seen.odd = what;
      return false;
    }
  }
  for (const name in object) {
    const member = object[name];
    seen.length += name.length;
    if (typeof member === "string") {
      seen.count++;
      seen.length += member.length;
    } else if (member === undefined) {
      if (seen.isOurs) delete object[name];
      else seen.marks |= UNUSUAL;
    } else if (typeof member === "object" && member !== null && (name === "data" || name === "blob") && isBytes(member) && seen.takesBytes) {
      seen.marks |= BINARY;
      seen.length += member.byteLength;
    } else if (typeof member === "function" && name === "toJSON") seen.marks |= UNUSUAL;
    else if (!look(member, depth - 1, seen)) {
      (seen.path ??= []).push(name);
      return false;
    }
  }
  return true;
};

// Looks at most `depth` deep and at `values` values. `isOurs` takes away the members that are undefined: only
// of what nobody else holds. What comes back has `marks`, `count` (of values), `length` (characters of all names
// and strings, and bytes), and, if there is too much or something odd, `isBeyond` or `odd`: a path and what is there.
export const survey = (value, depth, values, isOurs, takesBytes) => {
  const seen = { values, count: 0, length: 0, marks: 0, isOurs, takesBytes, isBeyond: false, odd: undefined, path: undefined };
  try {
    if (!look(value, depth, seen) && seen.odd) seen.odd = `${seen.path?.reverse().join(".") ?? "It"} is of type ${seen.odd}`;
  } catch {
    // A getter or a proxy throws, or it nests without end.
    seen.isBeyond = true;
  }
  if (seen.count > values) seen.isBeyond = true;
  return seen;
};

export const weight = (value) => {
  const { count, length } = survey(value, Infinity, Infinity);
  return length + 8 * count;
};

const base64 = (value) => {
  const bytes = ArrayBuffer.isView(value) ? new Uint8Array(value.buffer, value.byteOffset, value.byteLength) : new Uint8Array(value);
  if (bytes.toBase64) return bytes.toBase64();
  let text = "";
  for (let place = 0; place < bytes.length; place += 8_192) text += String.fromCharCode(...bytes.subarray(place, place + 8_192));
  return btoa(text);
};

export const noForm = (odd) => `${odd}, for which JSON has no form.`;

// JSON text of a message, with bytes as Base64; throws for what would be lost.
export const jsonText = (message) => {
  const { odd, marks } = survey(message, Infinity, Infinity, false, true);
  if (odd) throw new TypeError(noForm(odd));
  return jsonOf(message, marks);
};

// What every peer can read: bytes as Base64 and whatever JSON makes of the rest. A replacer is slow, so there is
// one only where it is needed.
export const jsonOf = (value, marks) => (marks & BINARY ? JSON.stringify(value, (_, part) => (isBytes(part) ? base64(part) : part)) : JSON.stringify(value));

// The buffers in a value that may be moved instead of copied.
export const buffersOf = (value) => {
  const found = new Set();
  const find = (part) => {
    if (typeof part !== "object" || part === null) return;
    if (!isBytes(part)) return Object.values(part).forEach(find);
    const buffer = part.buffer ?? part;
    if (buffer instanceof ArrayBuffer && buffer.byteLength === part.byteLength) found.add(buffer);
  };
  find(value);
  return [...found];
};
