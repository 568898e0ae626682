// One PostgreSQL server for a whole test run, started when the first test asks for it: others do not pay for it.
import { once } from "node:events";
import { createServer } from "node:http";
import type { TestProject } from "vitest/node";
import type { PostgresProcess } from "./postgres-process.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Where tests ask for the server: answers with its address, or with 503 and why there is none. */
    postgresDoor: string;
  }
}

/** A database of the server's with nothing in it but its tables: to copy it is faster than to make them again. */
export const TABLES_TEMPLATE = "signalbox_tables";

/** For vitest's `globalSetup`: opens a door that costs nothing until somebody comes. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  let starting: Promise<PostgresProcess> | undefined;
  const door = createServer((_request, response) => {
    starting ??= start();
    starting.then(
      ({ url }) => response.end(url),
      (error: unknown) => response.writeHead(503).end(error instanceof Error ? error.message : String(error)),
    );
  }).listen(0, "127.0.0.1");
  await once(door, "listening");
  const address = door.address();
  project.provide(
    "postgresDoor",
    typeof address === "object" && address ? `http://127.0.0.1:${address.port}` : "",
  );
  return async () => {
    door.close();
    const server = await starting?.catch(() => undefined);
    await server?.stop();
  };
}

async function start(): Promise<PostgresProcess> {
  const { startPostgres } = await import("./postgres-process.ts");
  const server = await startPostgres();
  try {
    await makeTemplate(server.url);
    return server;
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
