// Opening hours. A closed box office takes its selling tools out of the ToolManager,
// and they leave the browser's registry and the page server's list with it.

const SELLING = ["hold_seats", "apply_code", "check_out"];

/** Dispatches "change" after the tools have been put in or taken out. */
export class Counter extends EventTarget {
  #tools;
  #putAway = [];

  constructor(tools) {
    super();
    this.#tools = tools;
  }

  get isOpen() {
    return this.#putAway.length === 0;
  }

  open() {
    for (const tool of this.#putAway) this.#tools.add(tool);
    this.#putAway = [];
    this.dispatchEvent(new Event("change"));
  }

  close() {
    this.#putAway = SELLING.map((name) => this.#tools.get(name)).filter(Boolean);
    for (const tool of this.#putAway) this.#tools.remove(tool.name);
    this.dispatchEvent(new Event("change"));
  }
}
