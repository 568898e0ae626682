import { describe, expect, it } from "vitest";
import { systemClock } from "../../src/core/clock.ts";
import { createLog } from "../../src/core/log.ts";
import { createSecretBox } from "../../src/core/secret-box.ts";
import { openDatabase } from "../../src/database.ts";
import { createGatewaySessions, createSessionSeal } from "../../src/storage/gateway-sessions.ts";
import { findDatabases } from "../support/databases.ts";

const log = createLog({ level: "silent", secrets: [] });
const box = (byte: number) => createSecretBox(new Uint8Array(32).fill(byte));
const session = (shardId: number) => ({
  shardId,
  shardCount: 3,
  sessionId: `session-of-${shardId}`,
  sequence: 40 + shardId,
  resumeURL: "wss://gateway.example",
  isLeft: true,
});

describe.each(await findDatabases())("gateway sessions on $name", (kind) => {
  it.skipIf(kind.missing)("are returned once, for the requested shards", async () => {
    await using empty = await kind.create();
    const database = await openDatabase({ url: empty.url, clock: systemClock, log });
    const open = (secretBox = box(1)) =>
      createGatewaySessions({
        facts: database.facts,
        seal: createSessionSeal(secretBox, log),
        log,
      });
    const sessions = open();
    await database.facts.storeIfAbsent("application", "1");
    await sessions.store([session(0), session(1), session(2)]);
    await sessions.store([{ ...session(1), sequence: 90 }]);
    const rows = await database.facts.read("session 0");
    expect(rows).not.toContain("session-of-0");
    expect(await sessions.take([1, 7])).toEqual([{ ...session(1), sequence: 90 }]);
    expect(await sessions.take([1])).toEqual([]);
    const both = await Promise.all([sessions.take("auto"), open().take("auto")]);
    expect(both.flat().toSorted((a, b) => a.shardId - b.shardId)).toEqual([session(0), session(2)]);

    await sessions.store([session(0)]);
    expect(await open(box(2)).take("auto")).toEqual([]);
    await sessions.store([session(0)]);
    const plain = createGatewaySessions({
      facts: database.facts,
      seal: createSessionSeal(undefined, log),
      log,
    });
    expect(await plain.take("auto")).toEqual([]);
    await plain.store([session(0)]);
    expect(await plain.take("auto")).toEqual([session(0)]);
    expect(await database.facts.read("application")).toBe("1");
    await database.close();
  });
});
