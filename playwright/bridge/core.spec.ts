// The bridge's own suite, three times: one document, a frame of the same origin, a frame of another.

import { calling } from "./suite_calls.ts";
import { following } from "./suite_follow.ts";
import { living } from "./suite_lifetime.ts";
import { publishing } from "./suite_publish.ts";
import { settings, test } from "./world.ts";

for (const setting of settings) {
  test.describe(setting, () => {
    test.use({ setting });
    publishing();
    following();
    calling();
    living();
  });
}
