// How events are typed: a map from each event's name to its class, for every class that fires some. Types only.

/** `addEventListener` and `removeEventListener` of whoever fires `Events`; other names are taken too, as plain events. */
export type TypedListener<Events> = {
  <Name extends keyof Events & string>(type: Name, listener: ((event: Events[Name]) => void) | null, options?: boolean | AddEventListenerOptions): void;
  (type: string, listener: EventListenerOrEventListenerObject | null, options?: boolean | AddEventListenerOptions): void;
};

/** Something that fires `Events`, by their names. */
export interface TypedEventTarget<Events> extends EventTarget {
  /** Hears of one kind of event, until it is removed or `options.signal` aborts. */
  addEventListener: TypedListener<Events>;
  /** Hears of it no more. */
  removeEventListener: TypedListener<Events>;
}
