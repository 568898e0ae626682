// Puts off at the service what it is to publish for a server that the bot was removed from, and puts it back when the
// server is there again: see leaving-guilds.ts. Each is asked for once more where its answer was lost, which does no harm.
import type { UsableAccount } from "../video-accounts/video-accounts.ts";
import type { Hold } from "./hold.ts";
import { formatProblem, lasting, parseProblem } from "./kept-problem.ts";
import { EARLIEST_MS } from "./parse-publish-at.ts";
import type { PublishRunnerDependencies } from "./step.ts";

const DAY_MS = 86_400_000;
/** Within what the service takes, and later than any server is remembered. */
const PUT_OFF_MS = 14 * DAY_MS;
/** By then the server is erased, and its videos with it, also where the service could not be reached for days. */
const FAR_ENOUGH_MS = 12 * DAY_MS;

/** `atMs`: when the service means to publish it. Throws as the client does, and as Hold. */
export type PutOff = (hold: Hold, account: UsableAccount, atMs: number | undefined) => Promise<void>;

/** Makes what does. */
export function createPutOff({ client, clock }: Pick<PublishRunnerDependencies, "client" | "clock">): PutOff {
  async function leave(hold: Hold, account: UsableAccount, atMs: number): Promise<void> {
    const nowMs = clock.now();
    const { videoId = "" } = hold.record;
    const isNear = atMs < nowMs + FAR_ENOUGH_MS;
    if (isNear) {
      await client.update(account.account, videoId, { publishAtMs: nowMs + PUT_OFF_MS });
    }
    // The row keeps the time that people chose.
    await hold.change(
      "scheduled",
      (record) => {
        const isStill = parseProblem(record).away === "leaving";
        return { problem: formatProblem({ ...lasting(record), ...(isStill && { away: "away" }) }) };
      },
      () => (isNear ? { act: "put-off" } : undefined),
    );
  }

  async function comeBack(hold: Hold, account: UsableAccount, atMs: number | undefined): Promise<void> {
    const { videoId = "", publishAtMs = atMs } = hold.record;
    const isInTime = publishAtMs !== undefined && publishAtMs >= clock.now() + EARLIEST_MS;
    if (isInTime && publishAtMs !== atMs) {
      await client.update(account.account, videoId, { publishAtMs });
    }
    await hold.change(
      "scheduled",
      (record) => {
        const isStill = parseProblem(record).away === "returning";
        const away = isStill ? undefined : parseProblem(record).away;
        const problem = formatProblem({ ...lasting(record), away });
        return { problem, publishAtMs: isInTime ? publishAtMs : (atMs ?? publishAtMs) };
      },
      () => (isInTime && publishAtMs !== atMs ? { act: "put-back" } : undefined),
    );
  }

  return (hold, account, atMs) =>
    parseProblem(hold.record).away === "returning"
      ? comeBack(hold, account, atMs)
      : leave(hold, account, atMs ?? 0);
}
