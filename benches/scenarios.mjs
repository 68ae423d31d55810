// All scenarios, in the order they run. Later parts add theirs, and their contestants, here.

import * as echo from "./scenarios/echo.mjs";
import * as list from "./scenarios/list.mjs";
import * as registry from "./scenarios/registry.mjs";

const all = [...echo.scenarios, ...list.scenarios, ...registry.scenarios];

/** Those whose name contains one of the words; all without words. */
export const chosen = (words) => all.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)));

export const names = all.map(({ name }) => name);
