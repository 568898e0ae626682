// Which files an option or a field of a form asks for.
import { z } from "zod";

/** Groups and dotted extensions, ten at most, e.g. `["image", ".csv"]`. */
export const fileTypes = z
  .array(z.string().regex(/^(image|video|audio|\.[a-z0-9]{1,16})$/i))
  .max(10)
  .nullish();
