// What the processes of a fleet say to each other about their requests to Discord: one text that each of them changes in
// turn.
import type { FactsTable } from "./facts-table.ts";
import type { Engine } from "./schema.ts";

export type RequestRate = ReturnType<typeof createRequestRate>;

/** All of it throws as the database does. */
export function createRequestRate({ queries, now }: Engine, facts: Pick<FactsTable, "note" | "change">) {
  return {
    /** What was said last, empty at first, and the database's time. */
    async read(): Promise<{ readonly said: string; readonly nowMs: number }> {
      const found = await queries
        .selectFrom("facts")
        .select(["value as said", now().as("nowMs")])
        .where("name", "=", "request rate")
        .executeTakeFirst();
      if (found !== undefined) {
        return found;
      }
      await facts.note("request rate", "");
      return this.read();
    },
    /** Says something else; `false` where another process was quicker. */
    replace: (from: string, to: string): Promise<boolean> => facts.change("request rate", from, to),
  };
}
