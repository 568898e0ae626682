// undici and form-data, loaded when they are first needed. A start needs neither, and waited 0.1 s for them.
import { createRequire } from "node:module";
import type FormData from "form-data";
import type * as undici from "undici";

const require = createRequire(import.meta.url);

export function loadUndici(): typeof undici {
  return require("undici");
}

export function loadFormData(): typeof FormData {
  return require("form-data");
}
