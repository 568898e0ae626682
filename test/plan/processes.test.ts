// Several processes on one database, from the first moment on.
import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { type DatabaseKind, findDatabases } from "../support/databases.ts";
import { boardRecord } from "../boards/board-record.ts";
import { createBareFor, createFor, openFor } from "../open.ts";

const support = (file: string) => fileURLToPath(new URL(`../support/${file}`, import.meta.url));
const SPENDER = support("spender.ts");
const CLAIMER = support("claimer.ts");
const PROCESSES = 4;
const LIMIT = 30;
const TRIES = 10;
const BOARDS = 40;

const claimerResult = z.object({ claimed: z.array(z.string()), leased: z.boolean() });

/** A process that has opened the database. */
async function start(program: string, ...args: readonly string[]) {
  const child = fork(program, args, { execArgv: [] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const first = await Promise.race([once(child, "message"), once(child, "exit")]);
  return { child, first: first[0] as unknown };
}

function describeProcesses(kind: DatabaseKind): void {
  describe.skipIf(kind.missing !== undefined)(`processes on one ${kind.name} database`, () => {
    it("start at once on an empty database, and never take more than the limit together", async () => {
      const url = await createBareFor(kind);
      const spenders = await Promise.all(
        Array.from({ length: PROCESSES }, () => start(SPENDER, url, String(LIMIT), String(TRIES))),
      );
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
      expect((await spending.read({ service: "transport", windowMs: 60_000 })).used).toBe(LIMIT);
    });

    it("claim each board once, and one of them has the lease", async () => {
      const url = await createFor(kind);
      const { boards } = await openFor(url);
      const ids = Array.from({ length: BOARDS }, (_, index) => `board${index}`);
      for (const id of ids) {
        await boards.add(boardRecord({ id }));
      }
      const claimers = await Promise.all(Array.from({ length: PROCESSES }, () => start(CLAIMER, url)));
      const results = await Promise.all(
        claimers.map(async ({ child }) => {
          child.send("go");
          const [result] = await once(child, "message");
          return claimerResult.parse(result);
        }),
      );
      expect(results.flatMap(({ claimed }) => claimed).toSorted()).toEqual(ids.toSorted());
      expect(results.filter(({ leased }) => leased)).toHaveLength(1);
    });
  });
}

for (const kind of await findDatabases()) {
  describeProcesses(kind);
}
