// How the messenger asks Discord: repeated where that is safe, and with every failure worded once.
import type { REST } from "discord.js";
import type { z } from "zod";
import type { Clock } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import { MessengerError } from "../core/ports.ts";
import { insist } from "./insist.ts";
import { explainTrouble, isPassing } from "./messenger-trouble.ts";
import type { Urgency } from "./pace.ts";
import type { Errand, PacedRest } from "./paced-rest.ts";
import type { SendableFile } from "./reply-files.ts";

/** How something is asked. */
export interface Manner {
  /** For messages and the log, e.g. `post`. */
  readonly verb: string;
  readonly urgency: Urgency;
  /** A second one would be seen: it is sent, and repeated, only while Discord would know the other's nonce. */
  readonly once?: true;
  /** For how long it may be sent and repeated, in elapsed time; default as long as one likes. */
  readonly lastsMs?: number;
  readonly files?: readonly SendableFile[];
}

/** Asks for a part of the API and reads the answer. Throws MessengerError. */
export type Read = <T>(route: `/${string}`, schema: z.ZodType<T>, query?: URLSearchParams) => Promise<T>;

export interface Requests {
  /** Throws MessengerError. `request` is called for each try. */
  readonly ask: <T>(manner: Manner, request: (rest: REST) => Promise<T>) => Promise<T>;
  readonly reader: (verb: string) => Read;
}

/** Waits before further tries. Whoever sends messages comes again after the last one. */
const WAITS_MS = [1_000, 3_000, 6_000];
/** Discord knows a nonce for "the past few minutes". */
const NONCE_LIFE_MS = 2 * 60_000;

export function createRequests({
  paced,
  clock,
  log,
}: {
  readonly paced: PacedRest;
  readonly clock: Clock;
  readonly log: Log;
}): Requests {
  async function ask<T>(manner: Manner, request: (rest: REST) => Promise<T>): Promise<T> {
    const { verb, urgency, once = false, files = [] } = manner;
    const lastsMs = once ? NONCE_LIFE_MS : manner.lastsMs;
    if (paced.isTokenRefused()) {
      throw new MessengerError("unavailable", `${verb}: Discord does not take the token`);
    }
    const errand: Errand = {
      urgency,
      sizeBytes: files.reduce((sum, { bytes }) => sum + bytes.byteLength, 0),
      latestMs: lastsMs === undefined ? undefined : clock.elapsed() + lastsMs,
      repeatableForMs: once ? NONCE_LIFE_MS : undefined,
      heardMs: undefined,
    };
    try {
      return await insist({ clock, waitsMs: WAITS_MS, isPassing, signal: paced.leaving }, () =>
        paced.ask(errand, request),
      );
    } catch (error) {
      const trouble = explainTrouble(error, verb, once && errand.heardMs !== undefined);
      if (trouble.problem === "refused") {
        log.error({ error, verb }, "Discord refused what the bot sent");
      }
      throw trouble;
    }
  }

  return {
    ask,
    reader: (verb) => (route, schema, query) =>
      ask({ verb, urgency: "prompt" }, async (rest) =>
        schema.parse(await rest.get(route, query ? { query } : {})),
      ),
  };
}
