// One PostgreSQL server for a whole test run, started when the first test asks for it.
import type { TestProject } from "vitest/node";
import { openOnDemandServer, type Started } from "./on-demand-server.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** An address that answers with that of the server, or with 503 and the reason why there is none. */
    postgresUrl: string;
  }
}

/** A database with empty tables: copying it is faster than creating the tables again. */
export const TABLES_TEMPLATE = "signalbox_tables";

/** The function for vitest's `globalSetup`. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await openOnDemandServer(start);
  project.provide("postgresUrl", server.url);
  return () => server.close();
}

async function start(): Promise<Started> {
  const { startPostgres } = await import("./postgres-process.ts");
  const server = await startPostgres();
  try {
    await makeTemplate(server.url);
    return { answer: server.url, stop: () => server.stop() };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

async function makeTemplate(serverUrl: string): Promise<void> {
  const { Client } = await import("pg");
  const client = new Client({ connectionString: `${serverUrl}/postgres` });
  await client.connect();
  await client.query(`create database ${TABLES_TEMPLATE}`);
  await client.end();
  const { createLog } = await import("../../src/core/log.ts");
  const { systemClock } = await import("../../src/core/clock.ts");
  const { openDatabase } = await import("../../src/database.ts");
  const log = createLog({ level: "silent", secrets: [] });
  const database = await openDatabase({ url: `${serverUrl}/${TABLES_TEMPLATE}`, clock: systemClock, log });
  await database.close();
}
