// What boards ask the transport service: when each question was asked last, and when somebody last took an interest in
// it. Kept so that a restart neither asks everything at once nor forgets whose turn it is.
import { type Row, readRows } from "../storage/row.ts";
import type { Queries } from "../storage/schema.ts";

declare module "../storage/schema.ts" {
  interface Schema {
    readonly boardQuestions: Row<BoardQuestionRecord>;
  }
}

export interface BoardQuestionRecord {
  /** e.g. `departures:YRK:LDS`. */
  readonly key: string;
  readonly askedAtMs: number | undefined;
  readonly interestAtMs: number | undefined;
}

export type BoardQuestionsTable = ReturnType<typeof createBoardQuestionsTable>;

export function createBoardQuestionsTable(queries: Queries) {
  return {
    all: () => readRows<BoardQuestionRecord>(queries.selectFrom("boardQuestions").selectAll().orderBy("key")),

    /** A time that is absent stays as it is. */
    async note(
      key: string,
      moments: { readonly askedAtMs?: number; readonly interestAtMs?: number },
    ): Promise<void> {
      await queries
        .insertInto("boardQuestions")
        .values({ key, ...moments })
        // At least one column must be set, and this one changes nothing.
        .onConflict((conflict) => conflict.column("key").doUpdateSet({ key, ...moments }))
        .execute();
    },

    /** Removes those that nobody has asked or wanted since then. */
    async sweep(beforeMs: number): Promise<void> {
      await queries
        .deleteFrom("boardQuestions")
        .where((eb) => eb.or([eb("askedAtMs", "is", null), eb("askedAtMs", "<", beforeMs)]))
        .where((eb) => eb.or([eb("interestAtMs", "is", null), eb("interestAtMs", "<", beforeMs)]))
        .execute();
    },
  };
}
