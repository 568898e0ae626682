// Tests several processes that use one database from its creation on.
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { type DatabaseKind, findDatabases } from "../support/databases.ts";
import { boardRecord } from "../boards/board-record.ts";
import { createDatabaseWithoutTables, openTestDatabase } from "../open.ts";

const RIVAL = fileURLToPath(new URL("../support/rival.ts", import.meta.url));
const PROCESSES = 4;
const LIMIT = 30;
const TRIES = 10;
const BOARDS = 40;

const claimerResult = z.object({ claimed: z.array(z.string()), leased: z.boolean() });

/** Starts processes that open the database at once. `ask` makes each take its next step and returns the answers. */
async function startRivals(url: string) {
  const rivals = await Promise.all(
    Array.from({ length: PROCESSES }, async () => {
      const child = fork(RIVAL, [url, String(LIMIT), String(TRIES)], { execArgv: [] });
      onTestFinished(() => void child.kill("SIGKILL"));
      return { child, first: await nextMessage(child) };
    }),
  );
  const ask = () =>
    Promise.all(
      rivals.map(async ({ child }) => {
        child.send("go");
        return nextMessage(child);
      }),
    );
  return { first: rivals.map(({ first }) => first), ask };
}

/** The process's next message, or its exit code if it ends first. */
async function nextMessage(child: ChildProcess): Promise<unknown> {
  const [message] = await Promise.race([once(child, "message"), once(child, "exit")]);
  return message as unknown;
}

function describeProcesses(kind: DatabaseKind): void {
  describe.skipIf(kind.missing !== undefined)(`processes on one ${kind.name} database`, () => {
    it("can start at once while it is empty, together take exactly the limit, claim each board once, and have one lease", async () => {
      const url = await createDatabaseWithoutTables(kind);
      const { first, ask } = await startRivals(url);
      expect(first).toEqual(Array.from({ length: PROCESSES }, () => "ready"));

      const taken = await ask();
      expect(taken.reduce<number>((sum, count) => sum + Number(count), 0)).toBe(LIMIT);
      const { spending, boards } = await openTestDatabase(url);
      expect((await spending.read({ service: "transport", windowMs: 60_000 })).used).toBe(LIMIT);

      const ids = Array.from({ length: BOARDS }, (_, index) => `board${index}`);
      for (const id of ids) {
        await boards.add(boardRecord({ id }));
      }
      expect(new Set(await ask())).toEqual(new Set(["seen"]));
      const results = (await ask()).map((result) => claimerResult.parse(result));
      expect(results.flatMap(({ claimed }) => claimed).toSorted()).toEqual(ids.toSorted());
      expect(results.filter(({ leased }) => leased)).toHaveLength(1);
    });
  });
}

for (const kind of await findDatabases()) {
  describeProcesses(kind);
}
