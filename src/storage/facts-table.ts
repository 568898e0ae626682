// Facts about the whole database, each with a unique name.
import { put, putIfAbsent } from "./row.ts";
import type { Engine, Queries } from "./schema.ts";
import { ConfigError } from "../core/errors.ts";

declare module "./schema.ts" {
  interface Schema {
    readonly facts: FactRow;
  }
}

interface FactRow {
  readonly name: string;
  readonly value: string;
}

export type FactName =
  /** The id of the Discord application whose bot uses this database. */
  | "application"
  /** The last notice to board owners (`operations/notice.ts`). */
  | "notice"
  /** What the bot's owner has been told (`operations/attention.ts`). */
  | "attention"
  /** When the last daily backup was made, in milliseconds. */
  | "backup"
  /** When everything was moved to another database. */
  | "moved"
  /** How the processes in a fleet share Discord's limit (`discord/fleet-rate.ts`). */
  | "request rate"
  /** How many shards a fleet has. */
  | "shards"
  | SessionName;

/** The session of a shard whose process has stopped (`storage/gateway-sessions.ts`). */
type SessionName = `session ${number}`;

export type FactsTable = ReturnType<typeof createFactsTable>;

export function createFactsTable(queries: Queries) {
  const valueOf = (name: FactName) => queries.selectFrom("facts").select("value").where("name", "=", name);

  /** Returns the stored value. */
  async function storeIfAbsent(name: FactName, value: string): Promise<string> {
    await putIfAbsent(queries, "facts", { name, value }, "name");
    return (await valueOf(name).executeTakeFirstOrThrow()).value;
  }

  return {
    storeIfAbsent,
    read: async (name: FactName): Promise<string | undefined> =>
      (await valueOf(name).executeTakeFirst())?.value,
    put: (name: FactName, value: string) => put(queries, "facts", { name, value }, "name"),
    async remove(name: FactName): Promise<void> {
      await queries.deleteFrom("facts").where("name", "=", name).execute();
    },
    /** Removes the sessions of these shards and returns them, so only one caller gets each. */
    async takeSessions(shards: readonly number[] | "auto"): Promise<readonly string[]> {
      let taking = queries.deleteFrom("facts").where("name", "like", "session %");
      if (shards !== "auto") {
        const names = shards.map((shard): SessionName => `session ${shard}`);
        taking = taking.where("name", "in", names);
      }
      const taken = await taking.returning("value").execute();
      return taken.map(({ value }) => value);
    },
    /** `from` is `undefined` if the fact has no value yet. Returns `false` if it had another value. */
    async change(name: FactName, from: string | undefined, to: string): Promise<boolean> {
      if (from === undefined) {
        return (await storeIfAbsent(name, to)) === to;
      }
      const { numUpdatedRows } = await queries
        .updateTable("facts")
        .set({ value: to })
        .where((eb) => eb.and({ name, value: from }))
        .executeTakeFirstOrThrow();
      return numUpdatedRows === 1n;
    },
  };
}

/** Throws a ConfigError for another application's database: all of its servers would seem to have been left. */
export async function checkApplication(facts: FactsTable, applicationId: string): Promise<void> {
  const owner = await facts.storeIfAbsent("application", applicationId);
  if (owner !== applicationId) {
    throw new ConfigError([
      `DATABASE_URL names the database of another Discord application: it belongs to ${owner}, and DISCORD_TOKEN is of ${applicationId}. Use that application's token, or another database.`,
    ]);
  }
}

// How a fleet's processes share requests to Discord: one text, which each process reads and replaces.

export type RequestRate = ReturnType<typeof createRequestRate>;

/** All methods throw the database's errors. */
export function createRequestRate({ queries, now }: Engine, facts: FactsTable) {
  return {
    /** Returns the text, which is empty at first, and the database's time. */
    async read(): Promise<{ readonly text: string; readonly nowMs: number }> {
      const found = await queries
        .selectFrom("facts")
        .select(["value as text", now().as("nowMs")])
        .where("name", "=", "request rate")
        .executeTakeFirst();
      if (found !== undefined) {
        return found;
      }
      await facts.storeIfAbsent("request rate", "");
      return this.read();
    },
    /** Replaces the text; returns `false` if another process was faster. */
    replace: (from: string, to: string): Promise<boolean> => facts.change("request rate", from, to),
  };
}
