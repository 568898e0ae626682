// The operator's account. Guilds without an account of their own publish with it, if the operator allows them to.
import type { VideoTrouble } from "../client/refusal.ts";
import { waitAtMost } from "../../core/clock.ts";
import { ServiceError } from "../../core/errors.ts";
import { readTokenStatus } from "./check-account.ts";
import type { UsableAccount, VideoAccountsDependencies } from "./video-accounts.ts";

/** The longest time that a person who publishes waits for the account's name. */
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
    /** Never throws, because the account also works without its name. */
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
    /** The service is asked once a day, or on each call while the token is refused. Throws a ServiceError. */
    async tokenStatus(): Promise<OperatorTokenStatus | undefined> {
      if (token !== undefined && clock.elapsed() >= checkFromMs) {
        const { brokenBecause, endsAtMs } = await readTokenStatus(client, token);
        tokenStatus = { isRefused: brokenBecause !== undefined, endsAtMs };
        // A refusal is not cached, because a faulty service also refuses valid tokens.
        checkFromMs = clock.elapsed() + (tokenStatus.isRefused ? 0 : CHECK_EVERY_MS);
      }
      return tokenStatus;
    },
    /** Records that the service refused the token. Each reason is logged once, because only the operator can help. */
    refused(because: VideoTrouble): void {
      checkFromMs = 0;
      if (!reported.has(because)) {
        reported.add(because);
        log.error({ service: "video", because }, "VIDEO_ACCESS_TOKEN refused");
      }
    },
  };
}
