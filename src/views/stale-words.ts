// Says that an answer is older than it should be, and why.
import type { Stale } from "../services/cache/answers.ts";

/** The kinds of failure after which an old answer is given. */
const REASONS: Partial<Record<Stale["why"], string>> = {
  "budget-spent": "the plan is used up for now",
  "rate-limited": "the service is busy",
  timeout: "the service took too long",
  unavailable: "the service cannot be reached",
};

/** One short sentence or two, e.g. `I could not ask again: the plan is used up for now. This is from 12 minutes ago.` */
export function staleSentence(stale: Stale): string {
  const reason = REASONS[stale.why];
  return `I could not ask again${reason === undefined ? "" : `: ${reason}`}. This is from ${ageWords(stale)} ago.`;
}

/** e.g. `12 minutes`, `5 hours`, `3 days`: places are kept that long. */
function ageWords({ ageMinutes }: Stale): string {
  const hours = Math.round(ageMinutes / 60);
  if (hours >= 48) {
    return `${Math.round(hours / 24)} days`;
  }
  if (hours >= 2) {
    return `${hours} hours`;
  }
  return ageMinutes === 1 ? "1 minute" : `${ageMinutes} minutes`;
}

/** For the foot of a picture, e.g. `12 min old`. */
export function staleMark({ ageMinutes }: Stale): string {
  return `${ageMinutes} min old`;
}
