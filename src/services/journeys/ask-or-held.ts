// Questions with a time in them are seldom asked twice: where the service cannot be asked, a neighbour's answer may do.
import { type Answer, type Answers, isPassing } from "../cache/answers.ts";

/**
 * Asks as {@link Answers.ask} does. Where that fails and the failure will pass, gives the youngest answer kept for keys
 * that begin with `keyPrefix` and that `isUseful`, marked as stale; otherwise throws what asking throws.
 */
export async function askOrHeld<T>(
  answers: Pick<Answers, "ask" | "held">,
  {
    keyPrefix,
    key,
    isUseful,
  }: { readonly keyPrefix: string; readonly key: string; readonly isUseful: (value: T) => boolean },
  fetch: () => Promise<T>,
): Promise<Answer<T>> {
  try {
    return await answers.ask(`${keyPrefix}${key}`, fetch);
  } catch (error) {
    const [youngest] = answers
      .held<T>(keyPrefix)
      .filter(({ value }) => isUseful(value))
      .toSorted((a, b) => a.ageMs - b.ageMs);
    if (youngest === undefined || !isPassing(error)) {
      throw error;
    }
    return { ...youngest, stale: true, failure: error };
  }
}
