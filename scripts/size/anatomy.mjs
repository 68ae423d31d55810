// What the bytes of a wasm file are: its sections, and the functions within the code section. Only as much of the
// format is read here as sizes need; names come from the list that wasm-opt writes while it makes the file.

const sectionNames = ["custom", "type", "import", "function", "table", "memory", "global", "export", "start", "element", "code", "data", "data count", "tag"];
const [customSection, importSection, codeSection] = [0, 2, 10];
const [header, functionKind] = [8, 0];

/** A place in the file that moves on as it is read. */
function reader(bytes, at, end = bytes.length) {
  const number = () => {
    let value = 0;
    for (let shift = 1; ; shift *= 128) {
      const byte = bytes[at++];
      value += (byte & 127) * shift;
      if (byte < 128) return value;
    }
  };
  return { number, byte: () => bytes[at++], skip: (count) => (at += count), at: () => at, more: () => at < end };
}

/** How many functions the file imports: the first of its own has that number. */
function importedFunctions(bytes, from) {
  const read = reader(bytes, from);
  const limits = () => {
    const flags = read.byte();
    read.number();
    if (flags & 1) read.number();
  };
  const skips = [() => read.number(), () => (read.byte(), limits()), limits, () => read.skip(2), () => (read.byte(), read.number())];
  let functions = 0;
  for (let left = read.number(); left > 0; left -= 1) {
    read.skip(read.number());
    read.skip(read.number());
    const kind = read.byte();
    if (kind === functionKind) functions += 1;
    skips[kind]();
  }
  return functions;
}

/** The names by number, from lines such as `12:alloc::vec::Vec<T,A>::remove::h5e7bfa4cef8f5273`. */
const numbered = (text) => new Map(text.split("\n").filter(Boolean).map((line) => [Number.parseInt(line, 10), line.slice(line.indexOf(":") + 1)]));

/** `{ sections, functions }`: bytes by section, and `{ name, bytes }` for each function, its length included. */
export function anatomy(bytes, namesText) {
  const names = numbered(namesText);
  const sections = {};
  const functions = [];
  let next = 0;
  for (const read = reader(bytes, header); read.more(); ) {
    const start = read.at();
    const id = read.byte();
    const length = read.number();
    const body = read.at();
    read.skip(length);
    const name = id === customSection ? "custom" : sectionNames[id];
    sections[name] = (sections[name] ?? 0) + read.at() - start;
    if (id === importSection) next = importedFunctions(bytes, body);
    if (id !== codeSection) continue;
    const code = reader(bytes, body);
    for (let left = code.number(); left > 0; left -= 1) {
      const from = code.at();
      code.skip(code.number());
      functions.push({ name: names.get(next) ?? `function ${next}`, bytes: code.at() - from });
      next += 1;
    }
  }
  return { sections, functions };
}
