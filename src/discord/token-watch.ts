// Whether Discord still takes the bot's token. One 401 does not tell: Discord has answered so by mistake. Two that lie a
// minute apart, the second one to a request that needs nothing but the token, do.
import type { REST } from "discord.js";
import { sleep, type Clock } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import { isTokenRefusal } from "./explain-refusal.ts";

export interface TokenWatch {
  /** Whether Discord refused the token when it was last asked: requests would only count towards a ban. */
  readonly isRefused: () => boolean;
  /** Makes a client keep its token after a 401, which discord.js would drop, and hears of the 401. */
  readonly guard: (rest: REST) => void;
  stop(): void;
}

export interface TokenWatchOptions {
  /** A request that needs nothing but the token; its repetitions are the watch's. Throws as discord.js does. */
  readonly ask: () => Promise<unknown>;
  /** Called once, when the token is refused for good. */
  readonly onRefused: () => void;
  readonly clock: Pick<Clock, "after" | "elapsed">;
  readonly log: Log;
}

const CONFIRMED_AFTER_MS = 60_000;

/** Asks nothing until a guarded client is answered with 401. */
export function createTokenWatch({ ask, onRefused, clock, log }: TokenWatchOptions): TokenWatch {
  const stopping = new AbortController();
  let isRefused = false;
  let isChecking = false;

  async function check(): Promise<void> {
    const sinceMs = clock.elapsed();
    log.warn({}, "token refused; checking it");
    while (!stopping.signal.aborted) {
      const answer = await probe();
      if (answer === "accepted") {
        isRefused = false;
        isChecking = false;
        log.info({}, "token accepted");
        return;
      }
      isRefused ||= answer === "refused";
      if (answer === "refused" && clock.elapsed() - sinceMs >= CONFIRMED_AFTER_MS) {
        onRefused();
        return;
      }
      await sleep(clock, CONFIRMED_AFTER_MS, stopping.signal).catch(() => undefined);
    }
  }

  async function probe(): Promise<"accepted" | "refused" | "unknown"> {
    try {
      await ask();
      return "accepted";
    } catch (error) {
      return isTokenRefusal(error) ? "refused" : "unknown";
    }
  }

  return {
    isRefused: () => isRefused,
    guard(rest) {
      const setToken = rest.setToken.bind(rest);
      // discord.js calls it with null after a 401, whatever its type says, and when the client is destroyed.
      rest.setToken = (token: string | null) => {
        if (token !== null) {
          return setToken(token);
        }
        if (!isChecking && !stopping.signal.aborted) {
          isChecking = true;
          void check();
        }
        return rest;
      };
    },
    stop: () => stopping.abort(),
  };
}
