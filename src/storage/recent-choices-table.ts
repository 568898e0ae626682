// People's recent choices for options of commands: a few of each kind, for some weeks.
import { put } from "./row.ts";
import type { Queries } from "./schema.ts";
import { DAY_MS } from "../time/wall-clock.ts";

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
  /** The kind of option, e.g. `station`. */
  readonly kind: string;
  readonly value: string;
}

/** More would leave too little room for general suggestions in a list of 25. */
const MAX_OF_KIND = 10;
/** The `kind` of a row that says that a person's choices must not be stored. */
const OFF = "off";
const KEPT_MS = 90 * DAY_MS;

export type RecentChoicesTable = ReturnType<typeof createRecentChoicesTable>;

export function createRecentChoicesTable(queries: Queries) {
  return {
    /** Returns a person's choices, latest first. */
    of: (userId: string): Promise<readonly RecentChoice[]> =>
      queries
        .selectFrom("recentChoices")
        .select(["kind", "value"])
        .where("userId", "=", userId)
        .orderBy("usedAtMs", "desc")
        .orderBy("value")
        .execute(),

    /** Sets whether a person's choices are stored; if not, removes the existing ones. */
    remember: (userId: string, isOn: boolean, atMs: number): Promise<void> =>
      queries.transaction().execute(async (transaction) => {
        await transaction
          .deleteFrom("recentChoices")
          .where("userId", "=", userId)
          .$if(isOn, (query) => query.where("kind", "=", OFF))
          .execute();
        if (!isOn) {
          // A plain insert would fail if somebody pressed the button twice at once.
          const row = { userId, kind: OFF, value: "", usedAtMs: atMs };
          await put(transaction, "recentChoices", row, "userId", "kind", "value");
        }
      }),

    /** Does nothing if the person turned it off. Also removes their oldest choices and everyone's expired ones. */
    note: (userId: string, choices: readonly RecentChoice[], usedAtMs: number): Promise<void> =>
      queries.transaction().execute(async (transaction) => {
        const off = await transaction
          .selectFrom("recentChoices")
          .select("kind")
          .where((eb) => eb.and({ userId, kind: OFF }))
          .executeTakeFirst();
        if (off !== undefined) {
          return;
        }
        // Sorted, so that two of these transactions cannot deadlock.
        const sorted = choices.toSorted((a, b) => (`${a.kind} ${a.value}` < `${b.kind} ${b.value}` ? -1 : 1));
        for (const { kind, value } of sorted) {
          const row = { userId, kind, value, usedAtMs };
          await put(transaction, "recentChoices", row, "userId", "kind", "value");
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
                .limit(MAX_OF_KIND),
            )
            .execute();
        }
        await transaction
          .deleteFrom("recentChoices")
          .where("kind", "!=", OFF)
          // Choices from the future, which a wrong clock stored, would otherwise come first for ever.
          .where((eb) =>
            eb.or([eb("usedAtMs", "<", usedAtMs - KEPT_MS), eb("usedAtMs", ">", usedAtMs + DAY_MS)]),
          )
          .execute();
      }),
  };
}
