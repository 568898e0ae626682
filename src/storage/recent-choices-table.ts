// What people chose lately for options of commands: a few of each kind, for some weeks.
import type { Queries } from "./schema.ts";

declare module "./schema.ts" {
  interface Schema {
    readonly recentChoices: RecentChoiceRow;
  }
}

interface RecentChoiceRow extends RecentChoice {
  readonly userId: string;
  readonly usedAtMs: number;
}

export interface RecentChoice {
  /** What is chosen, e.g. `station`. */
  readonly kind: string;
  readonly value: string;
}

/** More would push out of a list of 25 what is offered to everyone. */
const MOST_OF_KIND = 10;
/** The row of a person of whom nothing is to be remembered. */
const OFF = "off";
const DAY_MS = 24 * 60 * 60_000;
const KEPT_MS = 90 * DAY_MS;

export type RecentChoicesTable = ReturnType<typeof createRecentChoicesTable>;

export function createRecentChoicesTable(queries: Queries) {
  return {
    /** The latest first. */
    of: (userId: string): Promise<readonly RecentChoice[]> =>
      queries
        .selectFrom("recentChoices")
        .select(["kind", "value"])
        .where("userId", "=", userId)
        .orderBy("usedAtMs", "desc")
        .orderBy("value")
        .execute(),

    /** Sets whether a person's choices are noted; if not, removes those already noted. */
    remember: (userId: string, isOn: boolean, atMs: number): Promise<void> =>
      queries.transaction().execute(async (transaction) => {
        await transaction
          .deleteFrom("recentChoices")
          .where("userId", "=", userId)
          .$if(isOn, (query) => query.where("kind", "=", OFF))
          .execute();
        if (!isOn) {
          await transaction
            .insertInto("recentChoices")
            .values({ userId, kind: OFF, value: "", usedAtMs: atMs })
            .execute();
        }
      }),

    /** Notes choices of one moment, unless they are not to be remembered, and forgets this person's oldest and everyone's old ones. */
    note: (userId: string, choices: readonly RecentChoice[], usedAtMs: number): Promise<void> =>
      queries.transaction().execute(async (transaction) => {
        const off = await transaction
          .selectFrom("recentChoices")
          .select("kind")
          .where("userId", "=", userId)
          .where("kind", "=", OFF)
          .executeTakeFirst();
        if (off !== undefined) {
          return;
        }
        // In one order, so that no two of these wait for each other.
        const sorted = choices.toSorted((a, b) => (`${a.kind} ${a.value}` < `${b.kind} ${b.value}` ? -1 : 1));
        for (const { kind, value } of sorted) {
          await transaction
            .insertInto("recentChoices")
            .values({ userId, kind, value, usedAtMs })
            .onConflict((conflict) => conflict.columns(["userId", "kind", "value"]).doUpdateSet({ usedAtMs }))
            .execute();
        }
        for (const kind of new Set(sorted.map((choice) => choice.kind))) {
          await transaction
            .deleteFrom("recentChoices")
            .where("userId", "=", userId)
            .where("kind", "=", kind)
            .where("value", "not in", (eb) =>
              eb
                .selectFrom("recentChoices")
                .select("value")
                .where("userId", "=", userId)
                .where("kind", "=", kind)
                .orderBy("usedAtMs", "desc")
                .orderBy("value")
                .limit(MOST_OF_KIND),
            )
            .execute();
        }
        await transaction
          .deleteFrom("recentChoices")
          .where("kind", "!=", OFF)
          // Those of a clock that was ahead would come first for ever.
          .where((eb) =>
            eb.or([eb("usedAtMs", "<", usedAtMs - KEPT_MS), eb("usedAtMs", ">", usedAtMs + DAY_MS)]),
          )
          .execute();
      }),
  };
}
