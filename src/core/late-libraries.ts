// undici and form-data, loaded when they are first needed. A start needs neither, and waited 0.1 s for them.
import { createRequire } from "node:module";
import type FormData from "form-data";
import type * as undici from "undici";

const require = createRequire(import.meta.url);
let knownUndici: typeof undici | undefined;

/** To ask Node for what it has loaded takes 10 µs, too long for every answer. */
export function loadUndici(): typeof undici {
  knownUndici ??= require("undici") as typeof undici; // what it gives by this name
  return knownUndici;
}

export function loadFormData(): typeof FormData {
  return require("form-data");
}
