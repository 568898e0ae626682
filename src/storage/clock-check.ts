// Whether this machine's clock agrees with the database's. Processes on one database share leases and a plan: one
// whose clock is wrong must neither run jobs nor spend.
import { CLOCK_TOLERANCE_MS, type Clock } from "../core/clock.ts";
import { ServiceError } from "../core/errors.ts";
import type { Log } from "../core/log.ts";

export function createClockCheck({ clock, log }: { readonly clock: Pick<Clock, "now">; readonly log: Log }) {
  let isWrong = false;
  return {
    /** Takes a time that the database gave after it was asked at `askedAtMs` of this machine's clock. */
    note(databaseMs: number, askedAtMs: number): void {
      const answeredAtMs = clock.now();
      // The database read its time somewhere between the question and the answer.
      const aheadMs = Math.min(askedAtMs, answeredAtMs) - databaseMs;
      const behindMs = databaseMs - Math.max(askedAtMs, answeredAtMs);
      const wasWrong = isWrong;
      isWrong = Math.max(aheadMs, behindMs) > CLOCK_TOLERANCE_MS;
      if (isWrong && !wasWrong) {
        const differenceMs = aheadMs > behindMs ? aheadMs : -behindMs;
        log.error({ differenceMs }, "this machine's clock differs from the database's");
      } else if (wasWrong && !isWrong) {
        log.info({}, "this machine's clock agrees with the database's again");
      }
    },
    /** Throws a ServiceError `storage`/`unavailable` while the last time was more than the tolerance off. */
    mustAgree(): void {
      if (isWrong) {
        throw new ServiceError("storage", "unavailable", "this machine's clock differs from the database's");
      }
    },
  };
}
