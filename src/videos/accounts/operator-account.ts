// The operator's account, which every guild may publish with that has none of its own.
import type { VideoTrouble } from "../client/error-codes.ts";
import { sleep } from "../../core/clock.ts";
import { ServiceError } from "../../core/errors.ts";
import type { UsableAccount, VideoAccountsDependencies } from "./video-accounts.ts";

/** A person who publishes waits no longer than this for a name. */
const NAME_WAIT_MS = 1_000;
const ASK_AGAIN_MS = 60_000;

/** Makes it; asks for nothing yet. */
export function createOperatorAccount(deps: VideoAccountsDependencies) {
  const { client, operatorToken: token, clock, log } = deps;
  const reported = new Set<VideoTrouble>();
  let name: string | undefined;
  let asking: Promise<void> | undefined;
  let askFromMs = 0;

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
        await Promise.race([asking, sleep(clock, NAME_WAIT_MS)]);
      }
      return { key: "operator", account: { token }, name };
    },
    /** The service refused its token: only the operator can help, so it is logged, once for each reason. */
    refused(because: VideoTrouble): void {
      if (!reported.has(because)) {
        reported.add(because);
        log.error({ service: "video", because }, "VIDEO_ACCESS_TOKEN refused");
      }
    },
  };
}
