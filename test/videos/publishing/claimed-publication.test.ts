// Two processes claim the same publication, the database is unavailable or loses answers, and people change the row.
import { expect, it } from "vitest";
import { ServiceError } from "../../../src/core/errors.ts";
import { createLog } from "../../../src/core/log.ts";
import type { PublicationRecord, PublicationsTable } from "../../../src/videos/publications-table.ts";
import {
  ClaimLostError,
  createPublicationClaims,
  createClaimedPublication,
} from "../../../src/videos/publishing/claimed-publication.ts";
import { openRules } from "../settings/open-rules.ts";

const ID = "video001";
const RENEWAL_MS = 10_000;

async function openClaims() {
  const { rules, database, clock } = await openRules();
  const { publications, videoRecords } = database;
  await publications.add({
    id: ID,
    guildId: "1",
    channelId: "11",
    submittedBy: "7",
    createdAtMs: clock.now(),
    state: "uploading",
    stateAtMs: clock.now(),
    account: "operator",
    fileName: "day.mp4",
    fileType: "video/mp4",
    sizeBytes: 9,
    linkEndsAtMs: clock.now() + 86_400_000,
    doneBytes: 0,
    nextAtMs: clock.now(),
  });
  const log = createLog({ level: "silent", secrets: [] });

  /** Starts a process whose database can be unavailable or lose the answer to the next change. */
  function beginProcess() {
    const process = { isDatabaseDown: false, losesAnswer: async (): Promise<void> => undefined };
    const reach = async <T>(ask: () => Promise<T>): Promise<T> => {
      if (process.isDatabaseDown) {
        throw new ServiceError("storage", "unavailable", "the database is unavailable");
      }
      return ask();
    };
    const own: PublicationsTable = {
      ...publications,
      get: (id) => reach(() => publications.get(id)),
      claim: (...claim) => reach(() => publications.claim(...claim)),
      change: (...change) =>
        reach(async () => {
          const changed = await publications.change(...change);
          await process.losesAnswer();
          return changed;
        }),
    };
    const deps = { publications: own, rules, clock, log };
    const claims = createPublicationClaims(deps);

    /** Claims the publication and works on it until `end` is called; `undefined` if another process has it. */
    async function take() {
      const due = await publications.due(clock.now(), 1);
      const [claim] = await claims.take(
        due.map((record) => ({ key: record.id, record, safeUntilElapsedMs: -Infinity })),
      );
      if (claim === undefined) {
        return undefined;
      }
      const worked = Promise.withResolvers<void>();
      claims.begin(claim, () => worked.promise);
      const claimed = createClaimedPublication(deps, claim.record, () => claims.isSafe(claim));
      return { claimed, end: () => worked.resolve() };
    }

    return {
      process,
      async take() {
        const taken = await take();
        if (taken === undefined) {
          throw new Error("another process has claimed the publication");
        }
        return taken;
      },
      canTake: async () => (await take()) !== undefined,
    };
  }

  return {
    clock,
    beginProcess,
    row: () => publications.get(ID),
    /** Changes the row without a claim, as a person's press does. */
    press: async (changes: Partial<PublicationRecord>): Promise<void> => {
      const row = await publications.get(ID);
      await publications.change({ id: ID, revision: row?.revision ?? 0 }, changes);
    },
    acts: async () => (await videoRecords.auditEntries("1", { limit: 9 })).map(({ act }) => act),
    /** Completes the next renewal of the claim. */
    renewClaim: async (): Promise<void> => {
      await expect.poll(() => clock.waits()).toContain(RENEWAL_MS);
      clock.advance(RENEWAL_MS);
      await expect.poll(() => clock.waits()).toContain(RENEWAL_MS);
    },
  };
}

it("belongs to one process as long as that works on it, even if people change it meanwhile", async () => {
  const { beginProcess, press, renewClaim, row } = await openClaims();
  const [one, other] = [beginProcess(), beginProcess()];
  const { claimed, end } = await one.take();
  for (let renewals = 0; renewals < 6; renewals += 1) {
    await renewClaim();
    await press({ title: `Title ${renewals}` });
    expect(await other.canTake()).toBe(false);
  }
  expect(claimed.isSafe()).toBe(true);
  expect(claimed.foreignChanges).toBe(0);
  await claimed.refresh();
  expect([claimed.foreignChanges, claimed.record.title]).toEqual([1, "Title 5"]);
  expect(await claimed.release(undefined)).toBe(true);
  end();
  expect(await row()).toMatchObject({ claimToken: undefined, claimedUntilMs: undefined });
});

it("is taken over once its claim has expired, and the earlier process can no longer change it", async () => {
  const { clock, beginProcess, row } = await openClaims();
  const [one, other] = [beginProcess(), beginProcess()];
  const { claimed } = await one.take();
  one.process.isDatabaseDown = true;
  clock.advance(3 * RENEWAL_MS);
  expect(claimed.isSafe()).toBe(false);
  const { claimed: taken } = await other.take();
  one.process.isDatabaseDown = false;
  const signal = claimed.abortSignalWhen(() => false);
  await expect(claimed.change("uploading", { doneBytes: 5 })).rejects.toBeInstanceOf(ClaimLostError);
  expect(signal.aborted).toBe(true);
  await expect(claimed.changeAlways({ messageId: "1" })).rejects.toThrow("no longer claimed");
  expect(await taken.change("uploading", { doneBytes: 7 })).toBe(true);
  expect(await row()).toMatchObject({ doneBytes: 7, messageId: undefined });
});

it("is lost if the database is unavailable for longer than the claim lasts", async () => {
  const { clock, beginProcess } = await openClaims();
  const one = beginProcess();
  const { claimed } = await one.take();
  one.process.isDatabaseDown = true;
  const changing = claimed.change("uploading", { doneBytes: 5 }).catch((error: unknown) => error);
  for (let seconds = 0; seconds < 30; seconds += 1) {
    await expect.poll(() => clock.waits().some((ms) => ms <= 1_000)).toBe(true);
    clock.advance(1_000);
  }
  expect(await changing).toMatchObject({ message: "the claim has run out while the database was away" });
});

it.each([
  ["nobody else", undefined],
  ["a person", { stopReason: "cancelled" }],
] as const)(
  "knows that a write with a lost answer happened, even if %s has changed the row since",
  async (_who, since) => {
    const { clock, beginProcess, press, acts, row } = await openClaims();
    const one = beginProcess();
    const { claimed } = await one.take();
    one.process.losesAnswer = async () => {
      one.process.losesAnswer = async () => undefined;
      if (since !== undefined) {
        await press(since);
      }
      throw new ServiceError("storage", "unavailable", "the connection broke");
    };
    const changing = claimed.change("uploading", {
      state: "failed",
      pendingWrite: undefined,
      stateAtMs: clock.now() + 1,
    });
    await expect.poll(() => clock.waits()).toContain(1_000);
    clock.advance(1_000);
    expect(await changing).toBe(true);
    expect(claimed.record).toEqual(await row());
    expect(claimed.record).toMatchObject({ state: "failed", stopReason: since?.stopReason });
    expect(await acts()).toEqual(["failed"]);
  },
);

it("is not released if somebody has changed it since it was shown", async () => {
  const { beginProcess, press, row } = await openClaims();
  const { claimed } = await beginProcess().take();
  await press({ nextAtMs: 5 });
  expect(await claimed.release(5)).toBe(false);
  expect((await row())?.claimToken).toBeDefined();
  expect(await claimed.release(undefined)).toBe(true);
});
