// Several processes on one database, from the first moment on.
import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { findDatabases, type DatabaseKind } from "../support/databases.ts";
import { createFor, openFor } from "./conformance.ts";

const PROGRAM = fileURLToPath(new URL("../support/spender.ts", import.meta.url));
const PROCESSES = 6;
const LIMIT = 30;
const TRIES = 10;

/** A process that has opened the database. */
async function startSpender(url: string) {
  const child = fork(PROGRAM, [url, String(LIMIT), String(TRIES)], { execArgv: [] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const first = await Promise.race([once(child, "message"), once(child, "exit")]);
  return { child, first: first[0] as unknown };
}

function describeProcesses(kind: DatabaseKind): void {
  describe.skipIf(kind.missing !== undefined)(`processes on one ${kind.name} database`, () => {
    it("start at once on an empty database, and never take more than the limit together", async () => {
      const url = await createFor(kind);
      const spenders = await Promise.all(Array.from({ length: PROCESSES }, () => startSpender(url)));
      expect(spenders.map(({ first }) => first)).toEqual(Array.from({ length: PROCESSES }, () => "ready"));
      const taken = await Promise.all(
        spenders.map(async ({ child }) => {
          child.send("go");
          const [count] = await once(child, "message");
          return Number(count);
        }),
      );
      expect(taken.reduce((sum, count) => sum + count, 0)).toBe(LIMIT);
      const { spending } = await openFor(url);
      expect((await spending.read({ service: "transport", now: () => 5_000, windowMs: 1_000 })).used).toBe(
        LIMIT,
      );
    });
  });
}

for (const kind of await findDatabases()) {
  describeProcesses(kind);
}
