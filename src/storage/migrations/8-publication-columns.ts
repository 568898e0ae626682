import { type SchemaModule, sql } from "kysely";
import { z } from "zod";
import type { Migration } from "../migrations.ts";
import type { Queries } from "../schema.ts";

/**
 * Moves everything that decides how a publication continues into columns with checks. Before, the JSON in `problem`
 * contained it together with the text for people: whether to cancel it, since when and how often it was tried, and
 * until when it waits.
 */
export const publicationColumns: Migration = async (schema, transaction) => {
  await schema.dropIndex("publicationsByState").execute();
  // A person decides about a publication with an unknown state.
  await withCheck(schema, transaction, { column: "state", words: STATES, otherwise: "outcome-unknown" });
  // The write may have happened, so it is reconciled.
  await withCheck(schema, transaction, { column: "pendingWrite", words: WRITES, otherwise: "simple" });
  await schema
    .createIndex("publicationsByState")
    .on("publications")
    .columns(["state", "stateAtMs"])
    .execute();
  const table = (): ReturnType<SchemaModule["alterTable"]> => schema.alterTable("publications");
  await table()
    .addColumn("stopReason", "text", (column) => column.check(isOneOf("stopReason", STOP_REASONS)))
    .execute();
  await table().addColumn("troubleSinceMs", "bigint").execute();
  await table()
    .addColumn("tries", "integer", (column) =>
      column
        .notNull()
        .defaultTo(0)
        .check(sql`tries >= 0`),
    )
    .execute();
  await table().addColumn("notBeforeMs", "bigint").execute();
  await schema.createIndex("publicationsByStop").on("publications").column("stopReason").execute();
  await moveProblems(transaction);
};

const STATES = [
  "draft",
  "awaiting-approval",
  "uploading",
  "processing",
  "scheduled",
  "published",
  "refused",
  "failed",
  "cancelled",
  "expired",
  "outcome-unknown",
  "deleted",
];
const WRITES = ["simple", "finish"];
const STOP_REASONS = ["cancelled", "left", "returned"];

function isOneOf(column: string, words: readonly string[]) {
  return sql<boolean>`${sql.ref(column)} in (${sql.join(words.map((word) => sql.lit(word)))})`;
}

/** SQLite can add a check only with a new column, so the old column is replaced. */
async function withCheck(
  schema: SchemaModule,
  transaction: Queries,
  {
    column,
    words,
    otherwise,
  }: { readonly column: string; readonly words: readonly string[]; readonly otherwise: string },
): Promise<void> {
  const checked = `${column}Checked`;
  const isRequired = column === "state";
  await schema
    .alterTable("publications")
    .addColumn(checked, "text", (built) => {
      const withWords = built.check(isOneOf(checked, words));
      return isRequired ? withWords.notNull().defaultTo(otherwise) : withWords;
    })
    .execute();
  await sql`
    update publications set ${sql.ref(checked)} =
      case when ${isOneOf(column, words)} then ${sql.ref(column)} else ${sql.lit(otherwise)} end
    where ${sql.ref(column)} is not null`.execute(transaction);
  await schema.alterTable("publications").dropColumn(column).execute();
  await schema.alterTable("publications").renameColumn(checked, column).execute();
}

/** The previous JSON. It is strict, because an unknown field may say that nothing must be sent. */
const oldSchema = z.strictObject({
  problem: z
    .object({
      of: z.string(),
      kind: z.string(),
      trouble: z.string().optional(),
      permission: z.string().optional(),
      words: z.string().optional(),
      requestId: z.string().optional(),
    })
    .optional(),
  sinceMs: z.number().optional(),
  tries: z.number().optional(),
  notBeforeMs: z.number().optional(),
  isStopping: z.union([z.literal(true), z.literal("left")]).optional(),
  away: z.enum(["leaving", "away", "returning"]).optional(),
});

function parseOld(problem: string): z.output<typeof oldSchema> | undefined {
  try {
    return oldSchema.parse(JSON.parse(problem));
  } catch {
    return undefined;
  }
}

async function moveProblems(transaction: Queries): Promise<void> {
  const { rows } = await sql<{ id: string; problem: string }>`
    select id, problem from publications where problem is not null`.execute(transaction);
  for (const { id, problem } of rows) {
    const old = parseOld(problem);
    if (old === undefined) {
      // It may have said that nothing more must be sent, so a person decides.
      await sql`
        update publications set
          state = case when state = 'uploading' then 'outcome-unknown' else state end,
          problem = null,
          revision = revision + 1
        where id = ${id}`.execute(transaction);
    } else {
      await sql`
        update publications set
          problem = ${old.problem === undefined ? null : JSON.stringify(old.problem)},
          "troubleSinceMs" = ${old.sinceMs ?? null},
          tries = ${Math.max(0, Math.round(old.tries ?? 0))},
          "notBeforeMs" = ${old.notBeforeMs ?? null},
          "stopReason" = ${stopReasonOf(old)},
          revision = revision + 1
        where id = ${id}`.execute(transaction);
    }
    if (old?.away !== undefined) {
      await sql`update publications set "nextAtMs" = 0 where id = ${id}`.execute(transaction);
    }
  }
}

/**
 * A publication that was postponed because the bot had left its server is cancelled on the service; if the bot is back,
 * it continues.
 */
function stopReasonOf({ isStopping, away }: z.output<typeof oldSchema>): string | null {
  if (away === "leaving" || away === "away") {
    return "left";
  }
  return isStopping === undefined ? null : isStopping === true ? "cancelled" : "left";
}
