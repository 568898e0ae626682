// Loads libraries when they are first used. A start needs neither undici nor form-data, and loading them took 0.1 s.
import type * as http from "node:http";
import { createRequire } from "node:module";
import type FormData from "form-data";
import type * as undici from "undici";

const require = createRequire(import.meta.url);

let knownUndici: typeof undici | undefined;

/** Cached here, because `require` takes 10 µs even for a loaded module, too long for every answer. */
export function loadUndici(): typeof undici {
  knownUndici ??= require("undici") as typeof undici;
  return knownUndici;
}

export function loadFormData(): typeof FormData {
  return require("form-data");
}

/** An `import` would also load Node's own copy of undici, for the WebSocket that node:http exports: 30 ms and some MB. */
export function loadHttp(): typeof http {
  return require("node:http");
}
