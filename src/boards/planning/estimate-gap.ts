// How often a board or a watch that is not saved yet would get new times.
import { liveQuestion } from "../../rail/departures.ts";
import type { Sources } from "../../sources/compose.ts";
import { type SourceQuestion, questionKey } from "./board-contents.ts";
import { type PlannedQuestion, WEIGHTS, planForSource, weighQuestions } from "./question-plan.ts";

/**
 * Milliseconds; `undefined` if there are new times whenever they are wanted, Infinity if the plan has no calls for them.
 * `all`: the questions of all boards and watches, these included.
 */
export function estimateDataGap(
  questions: readonly SourceQuestion[],
  all: readonly PlannedQuestion[],
  { plans, answering }: Pick<Sources, "plans" | "answering">,
  nowMs: number,
): number | undefined {
  const sourceOf = (question: SourceQuestion) => answering(liveQuestion(question));
  const source = questions[0] && sourceOf(questions[0]);
  const terms = source && plans.get(source)?.terms;
  if (terms === undefined) {
    return Infinity;
  }
  const own = all.filter(({ question }) => sourceOf(question) === source);
  const weighed = weighQuestions(own, () => WEIGHTS.normal, nowMs);
  const { shares } = planForSource(weighed, terms, source, nowMs);
  const gaps = questions.flatMap((question) => {
    const share = shares.get(questionKey(question));
    return share === undefined || share.isEnough ? [] : [share.intervalMs];
  });
  return gaps.length === 0 ? undefined : Math.max(...gaps);
}
