// When each question of boards was last asked.
import { type Row, put, readRows } from "../storage/row.ts";
import type { Queries } from "../storage/schema.ts";

declare module "../storage/schema.ts" {
  interface Schema {
    readonly boardQuestions: Row<BoardQuestionRecord>;
  }
}

/** The table also has a column `interestAtMs`, which only earlier versions used. */
interface BoardQuestionRecord {
  /** e.g. `departures:YRK:LDS`. */
  readonly key: string;
  readonly askedAtMs: number | undefined;
}

export type BoardQuestionsTable = ReturnType<typeof createBoardQuestionsTable>;

export function createBoardQuestionsTable(queries: Queries) {
  return {
    all: () =>
      readRows<BoardQuestionRecord>(
        queries.selectFrom("boardQuestions").select(["key", "askedAtMs"]).orderBy("key"),
      ),

    note: (key: string, askedAtMs: number) => put(queries, "boardQuestions", { key, askedAtMs }, "key"),

    async sweep(beforeMs: number): Promise<void> {
      await queries
        .deleteFrom("boardQuestions")
        .where((eb) => eb.or([eb("askedAtMs", "is", null), eb("askedAtMs", "<", beforeMs)]))
        .execute();
    },
  };
}
