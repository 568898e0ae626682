// How often a board that is not there yet would get new data, beside all boards that are.
import type { BudgetTerms } from "../budget/budget.ts";
import { reserveOf } from "../budget/create-budget.ts";
import { askKey, asksOf } from "../board-data/board-data.ts";
import type { BoardSettings } from "./boards.ts";
import { createDemandCounter } from "../board-data/question-demand.ts";
import { planQuestions, questionWeight } from "../board-data/question-plan.ts";

/**
 * How far apart the answers to the board's slowest question would come, milliseconds; `undefined` where each of its
 * slots would have new data. Infinity where the plan has nothing for boards.
 */
export function estimateDataGap(
  settings: BoardSettings,
  others: readonly BoardSettings[],
  { terms, nowMs }: { readonly terms: BudgetTerms; readonly nowMs: number },
): number | undefined {
  const wanted = [settings, ...others].flatMap((each) =>
    asksOf(each).map((ask) => ({ key: askKey(ask), schedule: each.schedule })),
  );
  const count = createDemandCounter({ fromMs: nowMs, toMs: nowMs + terms.windowMs });
  const weight = questionWeight({ isOfInterest: false, isAsleep: false });
  const questions = [...Map.groupBy(wanted, ({ key }) => key)].map(([key, asks]) => ({
    key,
    weight,
    ...count(asks.map(({ schedule }) => schedule)),
  }));
  const calls = terms.calls - reserveOf(terms.calls);
  const { shares } = planQuestions(questions, { calls, windowMs: terms.windowMs });
  const gaps = asksOf(settings).flatMap((ask) => {
    const share = shares.get(askKey(ask));
    return share === undefined || share.isEnough ? [] : [share.intervalMs];
  });
  return gaps.length === 0 ? undefined : Math.max(...gaps);
}
