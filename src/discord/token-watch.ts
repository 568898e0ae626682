import type { REST } from "discord.js";
import { type Clock, sleep } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import { isTokenRefusal } from "./explain-refusal.ts";

export type TokenWatch = ReturnType<typeof createTokenWatch>;

const CONFIRMED_AFTER_MS = 60_000;

/**
 * Watches whether Discord still accepts the bot's token. A single 401 proves nothing: Discord has sent one by mistake.
 * The token counts as refused after two 401s at least a minute apart, the second one to a request that needs only the
 * token. Nothing is sent before a guarded client gets a 401.
 */
export function createTokenWatch(deps: {
  /** Sends a request that needs only the token. Throws as discord.js does. */
  readonly ask: () => Promise<unknown>;
  /** Called once, when it is certain that Discord refuses the token. */
  readonly onRefused: () => void;
  readonly clock: Pick<Clock, "after" | "elapsed">;
  readonly log: Log;
}) {
  const { ask, onRefused, clock, log } = deps;
  const stopping = new AbortController();
  let isRefused = false;
  let isChecking = false;

  async function check(): Promise<void> {
    const sinceMs = clock.elapsed();
    log.warn({}, "token refused; checking it");
    while (!stopping.signal.aborted) {
      const error: unknown = await ask().then(
        () => undefined,
        (failure: unknown) => failure,
      );
      if (error === undefined) {
        isRefused = false;
        isChecking = false;
        log.info({}, "token accepted");
        return;
      }
      // Any other failure says nothing about the token.
      const isRefusal = isTokenRefusal(error);
      isRefused ||= isRefusal;
      if (isRefusal && clock.elapsed() - sinceMs >= CONFIRMED_AFTER_MS) {
        onRefused();
        return;
      }
      await sleep(clock, CONFIRMED_AFTER_MS, stopping.signal).catch(() => undefined);
    }
  }

  return {
    /** Whether Discord refused the token when it was last asked. Further requests would only count towards a ban. */
    isRefused: () => isRefused,
    /** Makes a client keep its token after a 401, when discord.js would drop it, and starts a check. */
    guard(rest: REST): void {
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
    stop: (): void => stopping.abort(),
  };
}
