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
  return startPostgres();
}
