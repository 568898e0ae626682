// The step of a publication of which a write's answer was lost, or whose process died over one: it is looked for, for
// some minutes, since what was lost may still turn up. Then a person must look.
import type { VideoAccount } from "../../clients/video/account.ts";
import { ServiceError } from "../../core/errors.ts";
import { VideoTakenError } from "../../storage/publications-table.ts";
import type { Hold } from "./hold.ts";
import { problemOf } from "./judge-failure.ts";
import { formatProblem, lasting, parseProblem } from "./kept-problem.ts";
import { createLookUp, type Finding } from "./look-up.ts";
import { arrived, cancelled, endOf, failed, NOT_PENDING } from "./outcomes.ts";
import type { PublicationProblem } from "./publish.ts";
import { enter } from "./states.ts";
import type { PublishRunnerDependencies, Step } from "./step.ts";

const LOOK_FOR_MS = 10 * 60_000;
/** Where the service cannot be asked, there is no hurry to ask a person, who could not see more. */
const ASK_FOR_MS = 3_600_000;
const FIRST_PAUSE_MS = 3_000;
const LONGEST_PAUSE_MS = 30_000;
const LONGEST_WAIT_MS = 10 * 60_000;

const UNKNOWN: PublicationProblem = { of: "video", kind: "outcome-unknown", mayRetry: false };

/** Makes the step. */
export function createLookStep(deps: PublishRunnerDependencies): Step {
  const { accounts, clock, log } = deps;
  const lookUp = createLookUp(deps);

  async function find(hold: Hold, account: VideoAccount): Promise<Finding | ServiceError> {
    try {
      return await lookUp.find(hold.record, account);
    } catch (error) {
      if (error instanceof ServiceError && error.service === "video") {
        log.info({ error, publication: hold.record.id }, "a lost upload could not be looked for");
        return error;
      }
      throw error;
    }
  }

  async function stayUnknown(hold: Hold, failure: ServiceError | undefined): Promise<void> {
    const nowMs = clock.now();
    const { problem = UNKNOWN, sinceMs, tries = 0 } = parseProblem(hold.record);
    // A process that died left no word of when it was.
    const isKnown = problem.kind === "outcome-unknown" && sinceMs !== undefined;
    const startMs = isKnown ? sinceMs : nowMs;
    const kept = problem.kind === "outcome-unknown" ? problem : UNKNOWN;
    if (nowMs - startMs >= (failure === undefined ? LOOK_FOR_MS : ASK_FOR_MS)) {
      await hold.change(
        "uploading",
        (record) => ({
          ...enter(record, "outcome-unknown", nowMs),
          problem: formatProblem({ problem: kept, ...lasting(record) }),
        }),
        () => ({ act: "failed", note: "outcome-unknown" }),
      );
      return;
    }
    const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** tries, LONGEST_PAUSE_MS);
    const waitMs = Math.min(Math.max(pauseMs, failure?.retryAfterMs ?? 0), LONGEST_WAIT_MS);
    const next = { sinceMs: startMs, tries: tries + 1, notBeforeMs: nowMs + waitMs };
    await hold.change("uploading", (record) => ({
      problem: formatProblem({ problem: kept, ...next, ...lasting(record) }),
    }));
  }

  async function endWithout(hold: Hold): Promise<void> {
    const nowMs = clock.now();
    const problem: PublicationProblem = { of: "video", kind: "rejected", trouble: "session", mayRetry: true };
    await hold.change(
      "uploading",
      (record) => ({
        ...(parseProblem(record).isStopping === undefined
          ? failed(record, problem, nowMs)
          : cancelled(record, nowMs)),
        ...NOT_PENDING,
        session: undefined,
      }),
      endOf,
    );
  }

  /** Somebody may have said in this very moment that it is another one's. */
  async function take(hold: Hold, videoId: string): Promise<void> {
    try {
      await hold.change("uploading", (record) => arrived(record, videoId, clock.now()));
    } catch (error) {
      if (!(error instanceof VideoTakenError)) {
        throw error;
      }
      await stayUnknown(hold, undefined);
    }
  }

  return async (hold) => {
    const { guildId, account: key } = hold.record;
    const account = await accounts.byKey(guildId, key);
    const gone = new ServiceError("video", "unauthorised", "there is no account to look with");
    const finding = account === undefined ? gone : await find(hold, account.account);
    if (finding instanceof ServiceError) {
      const { kind, trouble = "token-dead" } = problemOf(finding);
      if (account !== undefined && kind === "unauthorised") {
        await accounts.markBroken(guildId, account.key, trouble);
      }
      await stayUnknown(hold, finding);
    } else if (finding === "unknown") {
      await stayUnknown(hold, undefined);
    } else if (finding === "absent") {
      await endWithout(hold);
    } else {
      const { id } = hold.record;
      log.info({ service: "video", publication: id }, "an upload whose answer was lost was found");
      await take(hold, finding.videoId);
    }
  };
}
