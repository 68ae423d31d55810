// zod, which SDK 1.x and 2.x check with.

export { z } from "zod";
