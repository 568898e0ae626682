// Works on a claimed publication: shows how far it is, brings it a step further, and so on until it must wait.
import { dueAt, wantsRoom } from "./due-at.ts";
import { type Hold, createHold } from "./hold.ts";
import { createKeepMessages } from "./keep-messages.ts";
import type { ClaimChange, PublicationRecord } from "../publications-table.ts";
import { createReadPublication } from "./read-publication.ts";
import { createFollowStep } from "./step-follow.ts";
import { createLookStep } from "./look-up.ts";
import { type PublishRunnerDependencies, type Step, createTidyStep } from "./step.ts";
import { createUploadStep } from "./step-upload.ts";

/** What a piece of work is given. */
export interface WorkOptions {
  readonly claim: Exclude<ClaimChange, "release">;
  /** How much time had passed when it was claimed. */
  readonly claimedAtElapsedMs: number;
  /** For when it was released, where the time until then has passed: a clock that was set back since says otherwise. */
  readonly wokenForMs: number | undefined;
  /** Whether it may send bytes now; asked once it wants to. */
  readonly mayUpload: () => boolean;
  /** Asks it to come to an end, so that another life goes on with it. */
  readonly signal: AbortSignal;
  /** Told of what it holds. */
  readonly onHold: (hold: Hold) => void;
  /** Told when its messages are as they should be, or cannot be for now. */
  readonly onShown: () => void;
}

/** Works as long as there is something to do; gives when it is to be looked at next. Throws as Hold does. */
export type Work = (claimed: PublicationRecord, options: WorkOptions) => Promise<number | undefined>;

/** Makes what works. */
export function createWork(deps: PublishRunnerDependencies): Work {
  const keep = createKeepMessages({ ...deps, read: createReadPublication(deps) });
  const upload = createUploadStep({ ...deps, show: keep });
  const look = createLookStep(deps);
  const follow = createFollowStep(deps);
  const tidy = createTidyStep(deps);

  function stepFor({ state, pendingWrite }: PublicationRecord): Step {
    if (state === "uploading") {
      return pendingWrite === undefined ? upload : look;
    }
    return state === "processing" || state === "scheduled" ? follow : tidy;
  }

  async function workOn(
    hold: Hold,
    { wokenForMs, mayUpload, signal, onShown }: WorkOptions,
  ): Promise<number | undefined> {
    for (;;) {
      const seen = hold.foreignChanges;
      const retryAtMs = signal.aborted ? undefined : await keep(hold);
      if (hold.foreignChanges !== seen) {
        // What was shown is out of date already.
        continue;
      }
      onShown();
      const { record } = hold;
      const atMs = dueAt(record);
      const isDue = atMs !== undefined && (atMs <= deps.clock.now() || atMs === wokenForMs);
      if (isDue && !signal.aborted && (!wantsRoom(record) || mayUpload())) {
        await stepFor(record)(hold, signal);
        if (hold.record.revision === record.revision) {
          throw new Error(`a step of a publication in ${record.state} changed nothing`);
        }
      } else {
        const nextAtMs = earlier(atMs, retryAtMs);
        if (await hold.release(nextAtMs)) {
          return nextAtMs;
        }
      }
    }
  }

  return async (claimed, options) => {
    const hold = createHold({ ...deps, ...options, claimed });
    try {
      options.onHold(hold);
      return await workOn(hold, options);
    } finally {
      hold.stop();
    }
  };
}

function earlier(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? (one ?? other) : Math.min(one, other);
}
