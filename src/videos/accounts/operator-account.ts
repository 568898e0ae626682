// The operator's account, which every guild may publish with that has none of its own.
import type { VideoTrouble } from "../client/refusal.ts";
import { waitAtMost } from "../../core/clock.ts";
import { ServiceError } from "../../core/errors.ts";
import { findTokenTrouble } from "./check-account.ts";
import type { UsableAccount, VideoAccountsDependencies } from "./video-accounts.ts";

/** A person who publishes waits no longer than this for a name. */
const NAME_WAIT_MS = 1_000;
const ASK_AGAIN_MS = 60_000;
const CHECK_EVERY_MS = 86_400_000;

interface OperatorTokenStatus {
  readonly isRefused: boolean;
  readonly endsAtMs: number | undefined;
}

export function createOperatorAccount(deps: VideoAccountsDependencies) {
  const { client, operatorToken: token, clock, log } = deps;
  const reported = new Set<VideoTrouble>();
  let name: string | undefined;
  let asking: Promise<void> | undefined;
  let askFromMs = 0;
  let tokenStatus: OperatorTokenStatus | undefined;
  let checkFromMs = 0;

  async function askName(own: string): Promise<void> {
    try {
      ({ name } = await client.whoAmI({ token: own }));
    } catch (error) {
      const kind = error instanceof ServiceError ? error.kind : "bug";
      log.warn({ service: "video", kind }, "operator account name unknown");
    }
    askFromMs = clock.elapsed() + ASK_AGAIN_MS;
    asking = undefined;
  }

  return {
    /** Never throws: the account also works without its name. */
    async use(): Promise<UsableAccount | undefined> {
      if (token === undefined) {
        return undefined;
      }
      if (name === undefined && clock.elapsed() >= askFromMs) {
        asking ??= askName(token);
        await waitAtMost(clock, NAME_WAIT_MS, asking, undefined);
      }
      return { key: "operator", account: { token }, name };
    },
    /** Whether its token is still good, as the service says once a day, and each time while it is not. Throws ServiceError for what passes by itself. */
    async tokenStatus(): Promise<OperatorTokenStatus | undefined> {
      if (token !== undefined && clock.elapsed() >= checkFromMs) {
        tokenStatus = await client.whoAmI({ token }).then(
          ({ endsAtMs }) => ({ isRefused: false, endsAtMs }),
          (error: unknown) => {
            if (error instanceof ServiceError && findTokenTrouble(error) !== undefined) {
              return { isRefused: true, endsAtMs: undefined };
            }
            throw error;
          },
        );
        // A service out of order refuses good ones.
        checkFromMs = clock.elapsed() + (tokenStatus.isRefused ? 0 : CHECK_EVERY_MS);
      }
      return tokenStatus;
    },
    /** The service refused its token: logged once for each reason, for only the operator can help. */
    refused(because: VideoTrouble): void {
      checkFromMs = 0;
      if (!reported.has(because)) {
        reported.add(because);
        log.error({ service: "video", because }, "VIDEO_ACCESS_TOKEN refused");
      }
    },
  };
}
