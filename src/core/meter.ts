// What is counted of the bot's work, for monitoring.
/** How an answer to somebody ended: `refused` with a sentence on what to do instead, `failed` for reasons that are not theirs. */
export type AnswerOutcome = "answered" | "refused" | "failed";

export interface Meter {
  /** Somebody has their answer. `task` as in the log, e.g. `departures` or `departures:later`. */
  answered(task: string, outcome: AnswerOutcome, milliseconds: number): void;
  /** An attempt at a service has ended; with a status, e.g. `200`, or the kind of a ServiceError, e.g. `timeout`. */
  asked(service: string, verb: string, outcome: string, milliseconds: number): void;
  /** An interaction had an answer already, which this process did not give: another one runs with the same token. */
  answeredElsewhere(): void;
  /** How many of this process's shards another one runs too. */
  duplicateShards(count: number): void;
  /** A job has done what was due. */
  ran(job: string, outcome: "done" | "failed", milliseconds: number): void;
}

export const noMeter: Meter = {
  answered() {},
  asked() {},
  answeredElsewhere() {},
  duplicateShards() {},
  ran() {},
};
