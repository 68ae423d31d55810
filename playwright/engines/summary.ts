// Says at the end what a browser left out and why; what is named there and is no test's name fails the run.

import type { FullResult, Reporter, Suite, TestCase } from "@playwright/test/reporter";
import { chosen } from "./chosen.ts";
import { leftOut, nameOf, native, reasons } from "./left_out.ts";

/** A title path is the project's, which has none, the file's and the test's. */
const fileOf = (test: TestCase) => test.titlePath()[2]!;
const named = (test: TestCase) => nameOf(fileOf(test), [test.title]);

export default class Summary implements Reporter {
  #tests: TestCase[] = [];

  onBegin(_: unknown, suite: Suite): void {
    this.#tests = suite.allTests();
  }

  async onEnd(): Promise<{ status?: FullResult["status"] } | void> {
    const why = new Map<string, string[]>([[reasons.registry, native.map((glob) => glob.replace("**/playwright/", ""))]]);
    for (const test of this.#tests) {
      const { description } = test.results.flatMap(({ annotations }) => annotations).find(({ type, description }) => type === "skip" && description) ?? {};
      if (description) why.set(description, [...(why.get(description) ?? []), named(test)]);
    }
    for (const [reason, names] of why) console.log(`left out in ${chosen}, as ${reason}: ${names.join("; ")}`);
    // A run of some files says nothing about the others.
    const files = new Set(this.#tests.map((test) => nameOf(fileOf(test), [""])));
    const stale = leftOut.filter(({ engine, tests }) => {
      const file = [...files].find((name) => tests.source.replaceAll("\\", "").startsWith(`^${name}`));
      return engine === chosen && file && !this.#tests.some((test) => tests.test(named(test)));
    });
    for (const { tests } of stale) console.log(`nothing in ${chosen} is named ${tests}, which is to be left out there`);
    if (stale.length) return { status: "failed" };
  }

  printsToStdio(): boolean {
    return false;
  }
}
