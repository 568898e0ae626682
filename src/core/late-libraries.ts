// Loads undici and form-data when they are first needed. A start needs neither, and used to wait 0.1 s for them.
import { createRequire } from "node:module";
import type FormData from "form-data";
import type * as undici from "undici";

const require = createRequire(import.meta.url);

interface SendOptions extends Partial<
  Pick<undici.Dispatcher.RequestOptions, "method" | "headers" | "body" | "signal">
> {
  readonly dispatcher: undici.Dispatcher;
}

interface Undici extends Pick<typeof undici, "Agent"> {
  request(url: string | URL, options: SendOptions): Promise<undici.Dispatcher.ResponseData>;
}

let knownUndici: Undici | undefined;

/** Kept here, because `require` takes 10 µs even for a loaded module, too long for every answer. */
export function loadUndici(): Undici {
  knownUndici ??= openUndici();
  return knownUndici;
}

/** Its client alone. The whole of undici, with its fetch, its WebSocket and its mocks, takes 40 ms more, and 2 MB that stay. */
function openUndici(): Undici {
  // What undici's own index takes from there.
  const Agent = require("undici/lib/dispatcher/agent.js") as typeof undici.Agent;
  const send = require("undici/lib/api/api-request.js") as (
    this: undici.Dispatcher,
    options: undici.Dispatcher.RequestOptions,
  ) => Promise<undici.Dispatcher.ResponseData>;
  return {
    Agent,
    request(url, { dispatcher, ...options }) {
      const { origin, pathname, search } = new URL(url);
      return send.call(dispatcher, { method: "GET", ...options, origin, path: `${pathname}${search}` });
    },
  };
}

export function loadFormData(): typeof FormData {
  return require("form-data");
}
