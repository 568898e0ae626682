import { type SchemaModule, sql } from "kysely";
import { z } from "zod";
import type { Migration } from "../migrations.ts";
import type { Queries } from "../schema.ts";

/**
 * What decides how a publication goes on stands in columns with checks. Before, the JSON in `problem` said so beside the
 * words for people: whether it is to be stopped, since when and how often it was tried, and until when it waits.
 */
export const publicationColumns: Migration = async (schema, transaction) => {
  await schema.dropIndex("publicationsByState").execute();
  // A state that nobody knows is a person's to decide about.
  await withCheck(schema, transaction, { column: "state", words: STATES, otherwise: "outcome-unknown" });
  // A write that may have happened: it is reconciled.
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

/** SQLite adds a check with a new column only: the old one gives way to it. */
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

/** As the JSON was; what it does not know may say that nothing is to be sent. */
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
      // It may have said that nothing is to be sent any more: a person decides.
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

/** What was postponed for a server that the bot had left is cancelled at the service; of one that is back it goes on. */
function stopReasonOf({ isStopping, away }: z.output<typeof oldSchema>): string | null {
  if (away === "leaving" || away === "away") {
    return "left";
  }
  return isStopping === undefined ? null : isStopping === true ? "cancelled" : "left";
}
