// The state that the processes of a fleet share about their requests to Discord: one text, which each process reads and
// replaces.
import type { FactsTable } from "./facts-table.ts";
import type { Engine } from "./schema.ts";

export type RequestRate = ReturnType<typeof createRequestRate>;

/** All of it throws as the database does. */
export function createRequestRate({ queries, now }: Engine, facts: Pick<FactsTable, "note" | "change">) {
  return {
    /** Returns the text, empty at first, and the database's time. */
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
    /** Replaces the text; `false` if another process was quicker. */
    replace: (from: string, to: string): Promise<boolean> => facts.change("request rate", from, to),
  };
}
