// What the process ends with, for a supervisor that decides whether to start it again.

/** Another start may work. */
export const EXIT_FAILURE = 1;

/** EX_CONFIG of sysexits.h: another start would fail in the same way, until somebody changes a setting. */
export const EXIT_CONFIG = 78;

/** What a bot that cannot go on ends with. */
export type FailureCode = typeof EXIT_FAILURE | typeof EXIT_CONFIG;

/** Why a bot cannot go on. */
export interface Failure {
  /** Sentences for the person who runs it. */
  readonly reason: string;
  readonly exitCode: FailureCode;
}
