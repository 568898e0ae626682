// A database belongs to one Discord application: to the bot of another, everyone in it would seem to have left.
import { ConfigError } from "../core/errors.ts";
import type { FactsTable } from "./facts-table.ts";

/** Notes whose database it is, once. Throws a ConfigError where it is another application's. */
export async function checkApplication(facts: FactsTable, applicationId: string): Promise<void> {
  const owner = await facts.note("application", applicationId);
  if (owner !== applicationId) {
    throw new ConfigError([
      `DATABASE_URL names the database of another Discord application: it belongs to ${owner}, and DISCORD_TOKEN is of ${applicationId}. Use that application's token, or another database.`,
    ]);
  }
}
