import { describe, expect, it } from "vitest";
import { ServiceError } from "../../../src/core/errors.ts";
import {
  ADA,
  GRACE,
  type PublishWorldOptions,
  START_MS,
  openPublishWorld,
} from "../../support/publish-world.ts";
import { until, watchSettled } from "../../support/until.ts";
import { sampleVideo } from "../../support/publish-video.ts";
import { sha256 } from "../../support/video-stand-in.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Opens a world with a draft; `submit` submits it. */
async function submitted(options: PublishWorldOptions = {}, order: Parameters<Order>[0] = {}) {
  const world = await openPublishWorld(options);
  const life = world.begin();
  const { id } = await life.publish.draft(world.order(order));
  return { world, life, id, submit: () => life.publish.submit(id, ADA) };
}
type Order = Awaited<ReturnType<typeof openPublishWorld>>["order"];

const SIMPLE = /\/videos\/simple$/;
const START = /\/videos\/start$/;
const TRANSFER = /\/videos\/transfer$/;
const FINISH = /\/videos\/finish$/;
const ANY = /\/videos\//;

describe("the runner of publications", () => {
  it.each(["simple", "chunked"] as const)("publishes a %s upload and posts its link", async (upload) => {
    const bytes = sampleVideo(50_000);
    const { world, id, submit } = await submitted({ upload }, { bytes });
    await submit();
    expect(await world.settle(id)).toMatchObject({
      state: "published",
      pendingWrite: undefined,
      session: undefined,
      fileUrl: undefined,
      nextAtMs: undefined,
      problem: undefined,
    });
    expect(world.videos()).toMatchObject([
      { title: "Opening day", description: "The first train.", file: { sha256: sha256(bytes) } },
    ]);
    expect(world.told()).toEqual([expect.stringMatching(/^publication, published, Opening day, http/)]);
    expect(await world.acts()).toEqual(["submitted", "published"]);
  });

  it("uses whole milliseconds, because PostgreSQL stores no fractions", async () => {
    const { world, id, submit } = await submitted({ processingMs: 3 * MINUTE_MS });
    await submit();
    const moments = new Set<number | undefined>();
    await world.advanceUntil(async () => {
      const { state, nextAtMs } = await world.row(id);
      moments.add(nextAtMs);
      return state === "published";
    });
    expect(moments.size).toBeGreaterThan(5);
    expect([...moments].filter((atMs) => atMs !== undefined && !Number.isInteger(atMs))).toEqual([]);
  });

  it("returns its message's id as soon as it is posted, and does not wait for ever if posting fails", async () => {
    const { world, life, id, submit } = await submitted({ upload: "simple" });
    await submit();
    const shown = await life.publish.shown(id);
    expect(shown).toMatchObject({ messageId: world.discord.messages[0]?.messageId });
    const other = await life.publish.draft(world.order());
    world.discord.fault = () => "unavailable";
    await life.publish.submit(other.id, ADA);
    const waiting = life.publish.shown(other.id);
    await world.advanceUntil(watchSettled(waiting), 2_000);
    expect(await waiting).toMatchObject({ id: other.id, messageId: undefined });
  });

  it("returns the message's id to a second caller although the first has stopped waiting", async () => {
    const { world, life, id, submit } = await submitted({ upload: "simple" });
    const first = life.runner.shown(id, 1_000);
    const second = watchSettled(life.runner.shown(id, HOUR_MS));
    await world.clock.advance(1_000);
    await first;
    expect(second()).toBe(false);
    await submit();
    await until(second);
  });

  it("chooses the kind of upload by the size with “auto”", async () => {
    const { world, id, submit } = await submitted({ upload: "auto" });
    await submit();
    await world.settle(id);
    expect(world.standIn.ledger.some(({ path }) => SIMPLE.test(path))).toBe(true);
  });

  it("publishes once even if two people press at once, in two processes", async () => {
    const { world, life, id } = await submitted({ upload: "simple" });
    const other = world.begin();
    await Promise.all([life.publish.submit(id, ADA), other.publish.submit(id, GRACE)]);
    await Promise.all([life.runner.run(), other.runner.run(), other.publish.submit(id, ADA)]);
    expect(await world.settle(id)).toMatchObject({ state: "published" });
    expect(world.videos()).toHaveLength(1);
    expect(await world.acts()).toEqual(["submitted", "published"]);
    expect(world.told()).toHaveLength(1);
  });

  it("schedules at the service, and says that it is published only when it is", async () => {
    const { world, life, id, submit } = await submitted(
      { upload: "chunked" },
      { publishAt: "tomorrow 18:00" },
    );
    await submit();
    const atMs = Date.parse("2026-11-19T18:00:00Z");
    await world.advanceUntil(() => world.told().some((words) => words.includes("scheduled")));
    expect(await world.row(id)).toMatchObject({ state: "scheduled", publishAtMs: atMs, nextAtMs: atMs });
    expect(world.videos()).toMatchObject([{ publishAtMs: atMs, isForPublic: false }]);
    await world.clock.advance(atMs - world.clock.now() - MINUTE_MS);
    await life.runner.run();
    expect(await world.row(id)).toMatchObject({ state: "scheduled" });
    expect(await world.settle(id)).toMatchObject({ state: "published", link: expect.any(String) });
    expect(world.clock.now()).toBeGreaterThanOrEqual(atMs);
    expect(await world.acts()).toEqual(["submitted", "scheduled", "published"]);
  });

  it.each(["simple", "chunked"] as const)(
    "holds back a %s upload whose time is too near for the service's schedule, and publishes it at that time",
    async (upload) => {
      const { world, life, id } = await submitted({ upload }, { publishAt: "in 12 minutes" });
      await world.clock.advance(5 * MINUTE_MS);
      await life.publish.submit(id, ADA);
      expect(await world.settle(id)).toMatchObject({ state: "published" });
      const [video] = world.videos();
      expect(video?.createdAtMs).toBeGreaterThanOrEqual(START_MS + 12 * MINUTE_MS);
      expect(video).toMatchObject({ publishAtMs: undefined, isForPublic: true });
    },
  );

  it("holds it back until its time even if the clock is set back just before", async () => {
    const { world, life, id } = await submitted({ upload: "simple" }, { publishAt: "in 12 minutes" });
    await world.clock.advance(12 * MINUTE_MS - 30_000);
    await life.publish.submit(id, ADA);
    await world.advanceUntil(async () => (await world.row(id)).notBeforeMs !== undefined);
    await world.advanceUntil(async () => (await world.row(id)).claimedUntilMs === undefined);
    const { publications } = world.database;
    const change = publications.change.bind(publications);
    let changes = 0;
    publications.change = async (...changed) => {
      changes += 1;
      if (changes > 50) {
        throw new Error("the row is changed repeatedly");
      }
      return change(...changed);
    };
    await world.clock.jump(-5 * MINUTE_MS);
    await world.clock.advance(MINUTE_MS);
    await world.quiet();
    expect(changes).toBeLessThan(5);
    expect(await world.settle(id)).toMatchObject({ state: "published" });
    expect(world.videos()[0]?.createdAtMs).toBeGreaterThanOrEqual(START_MS + 12 * MINUTE_MS);
  });

  it("resumes another process's upload from the byte that the service expects", async () => {
    const bytes = sampleVideo(200_000);
    const { world, life, id, submit } = await submitted(
      { upload: "chunked", windowBytes: () => 40_000 },
      { bytes },
    );
    world.files.holdAfterBytes = 90_000;
    await submit();
    await until(async () => {
      await world.clock.advance(2_000);
      return (await world.row(id)).session?.includes('"startByte":80000') === true;
    });
    life.end();
    world.files.holdAfterBytes = undefined;
    world.begin();
    expect(await world.settle(id)).toMatchObject({ state: "published" });
    expect(world.videos()).toMatchObject([{ file: { sha256: sha256(bytes) } }]);
    expect(world.files.asked.at(-1)).toBeGreaterThanOrEqual(80_000);
    expect(world.standIn.ledger.filter(({ path }) => START.test(path))).toHaveLength(1);
  });

  it("shows progress at most every two seconds, in one message", async () => {
    const bytes = sampleVideo(200_000);
    const { world, id, submit } = await submitted({ upload: "simple" }, { bytes });
    world.files.holdAfterBytes = 120_000;
    await submit();
    await until(() => world.files.asked.length === 2 && world.told().length === 1);
    for (let seconds = 0; seconds < 6; seconds += 1) {
      await world.clock.advance(1_000);
      await yieldToEventLoop();
    }
    await until(() => /\b[1-9]\d{4,} bytes/.test(world.told()[0] ?? ""));
    expect(world.discord.messages[0]?.edits).toBeLessThanOrEqual(3);
    world.files.letGo();
    expect(await world.settle(id)).toMatchObject({ state: "published" });
    expect(world.told()).toHaveLength(1);
  });

  it("follows processing, and reports that it failed", async () => {
    const { world, id, submit } = await submitted({ upload: "simple", processingEnd: "failed" });
    await submit();
    expect(await world.settle(id)).toMatchObject({ state: "failed" });
    expect(world.told()).toEqual(["publication, failed, Opening day, problem video rejected"]);
  });

  it("reports a failure if the service loses the video while it processes it", async () => {
    const { world, id, submit } = await submitted({ upload: "simple" });
    world.standIn.faults.add({ method: "GET", path: /^\/\d+$/, do: "gone", times: 1_000 });
    await submit();
    expect(await world.settle(id)).toMatchObject({ state: "failed", fileUrl: undefined });
  });

  it("says that processing takes long, and keeps checking", async () => {
    const { world, id, submit } = await submitted({ upload: "simple", processingEnd: "never" });
    await submit();
    await world.advanceUntil(() => world.told()[0]?.includes("problem video timeout") === true);
    expect(world.clock.now() - START_MS).toBeGreaterThan(15 * MINUTE_MS);
    world.videos().forEach(({ processing }) => (processing.end = "ready"));
    expect(await world.settle(id)).toMatchObject({ state: "published", problem: undefined });
  });

  it("retries while the service is unavailable, and says so meanwhile", async () => {
    const { world, id, submit } = await submitted({ upload: "chunked" });
    const away = world.standIn.faults.add({ path: ANY, do: "500", times: 1_000 });
    await submit();
    await world.advanceUntil(() => world.told()[0]?.includes("problem video unavailable") === true);
    await world.advanceUntil(() => away.hits >= 8);
    away.remove();
    expect(await world.settle(id)).toMatchObject({ state: "published", problem: undefined });
  });

  it("gives up after a quarter of an hour, and can then be retried", async () => {
    const { world, life, id, submit } = await submitted({ upload: "chunked" });
    const away = world.standIn.faults.add({ path: ANY, do: "500", times: 1_000 });
    await submit();
    expect(await world.settle(id)).toMatchObject({ state: "failed" });
    expect(await life.publish.find(id)).toMatchObject({ problem: { kind: "unavailable" }, mayRetry: true });
    expect(world.clock.now() - START_MS).toBeGreaterThan(10 * MINUTE_MS);
    expect(world.clock.now() - START_MS).toBeLessThan(20 * MINUTE_MS);
    away.remove();
    await life.publish.retry(id, ADA);
    expect(await world.settle(id)).toMatchObject({ state: "published" });
    expect(world.videos()).toHaveLength(1);
  });

  it("waits as long as the service asks it to, up to an hour", async () => {
    const { world, id, submit } = await submitted({ upload: "chunked" });
    world.standIn.faults.add({ path: START, do: "throttled" });
    await submit();
    await world.advanceUntil(() => world.told()[0]?.includes("problem video slow-down") === true);
    expect(await world.settle(id)).toMatchObject({ state: "published" });
    const [start, again] = world.standIn.ledger.filter(({ path }) => START.test(path));
    expect((again?.at ?? 0) - (start?.at ?? 0)).toBeGreaterThanOrEqual(11 * MINUTE_MS);
  });

  it("does not wait for hours", async () => {
    const { world, id, submit } = await submitted({ upload: "chunked" });
    world.standIn.faults.add({ path: START, do: "blocked" });
    await submit();
    expect(await world.settle(id)).toMatchObject({ state: "failed" });
    expect(world.clock.now() - START_MS).toBeLessThan(5 * MINUTE_MS);
  });

  it.each([
    ["format", "format", false],
    ["too-large", "too-large", false],
    ["content", "content", false],
    ["permission", "permission", true],
    ["duplicate", "duplicate", true],
    ["checkpoint", "needs-confirmation", true],
  ] as const)("reports a refusal by the service: %s", async (kind, trouble, mayRetry) => {
    for (const [upload, path] of [
      ["simple", SIMPLE],
      ["chunked", FINISH],
    ] as const) {
      const { world, life, id, submit } = await submitted({ upload });
      world.standIn.faults.add({ path, do: kind });
      await submit();
      expect(await world.settle(id)).toMatchObject({
        state: "failed",
        pendingWrite: undefined,
        videoId: undefined,
      });
      expect(await life.publish.find(id)).toMatchObject({ problem: { of: "video", trouble }, mayRetry });
      expect(world.videos()).toHaveLength(0);
      await world.close();
    }
  });

  it("marks the account broken if the service no longer accepts its token", async () => {
    const { world, id, submit } = await submitted({ upload: "simple" });
    world.standIn.invalidateToken(world.standIn.tokens.page);
    await submit();
    expect(await world.settle(id)).toMatchObject({ state: "failed" });
    expect(world.accounts.broken).toEqual(["token-dead"]);
  });

  it("reports that the account was unlinked meanwhile", async () => {
    const { world, life, id, submit } = await submitted({ upload: "simple" });
    await submit();
    world.accounts.current = undefined;
    expect(await world.settle(id)).toMatchObject({ state: "failed" });
    expect((await life.publish.find(id))?.problem).toMatchObject({ of: "account", kind: "no-account" });
  });

  it("stops a simple upload if its account is unlinked in the middle", async () => {
    const { world, id, submit } = await submitted({ upload: "simple" });
    world.files.holdAfterBytes = 25_000;
    await submit();
    await until(() => (world.standIn.simpleUploads()[0]?.receivedBytes ?? 0) > 25_000);
    world.accounts.current = undefined;
    await world.clock.advance(2_000);
    await until(() => world.standIn.simpleUploads().length === 0);
    expect(await world.settle(id)).toMatchObject({ state: "failed", pendingWrite: undefined });
    expect(world.standIn.simpleUploads()).toEqual([]);
    expect(world.videos()).toEqual([]);
    expect(world.told()).toEqual(["publication, failed, Opening day, problem account no-account"]);
  });

  it("does not complete a simple upload if its account is unlinked before the last byte", async () => {
    const { world, id, submit } = await submitted({ upload: "simple" });
    world.files.holdAfterBytes = 49_999;
    await submit();
    await until(() => (world.standIn.simpleUploads()[0]?.receivedBytes ?? 0) > 49_999);
    world.accounts.current = undefined;
    world.files.letGo();
    await until(() => world.standIn.simpleUploads().length === 0);
    expect(await world.settle(id)).toMatchObject({ state: "failed" });
    expect(world.videos()).toEqual([]);
    expect(world.told()).toEqual(["publication, failed, Opening day, problem account no-account"]);
  });

  it("does not complete an upload in pieces if its account is unlinked during the last write before that", async () => {
    const { world, id, submit } = await submitted({ upload: "chunked" });
    const { publications } = world.database;
    const change = publications.change.bind(publications);
    publications.change = async (...changed) => {
      const after = await change(...changed);
      if (after?.pendingWrite === "finish") {
        world.accounts.current = undefined;
      }
      return after;
    };
    await submit();
    expect(await world.settle(id)).toMatchObject({ state: "failed", pendingWrite: undefined });
    expect(world.videos()).toEqual([]);
    expect(world.told()).toEqual(["publication, failed, Opening day, problem account no-account"]);
  });

  it("does not complete a simple upload while the database cannot say whether the account is still linked", async () => {
    const { world, id, submit } = await submitted({ upload: "simple" });
    world.files.holdAfterBytes = 49_999;
    await submit();
    await until(() => (world.standIn.simpleUploads()[0]?.receivedBytes ?? 0) > 49_999);
    const { current } = world.accounts;
    Object.defineProperty(world.accounts, "current", {
      configurable: true,
      get() {
        throw new ServiceError("storage", "unavailable", "the database is away");
      },
    });
    world.files.letGo();
    await until(() => world.standIn.simpleUploads().length === 0);
    expect(world.videos()).toEqual([]);
    world.files.holdAfterBytes = undefined;
    Object.defineProperty(world.accounts, "current", { value: current });
    expect(await world.settle(id)).toMatchObject({ state: "published" });
    expect(world.videos()).toHaveLength(1);
  });

  it("starts another session if the service has forgotten the first", async () => {
    const { world, id, submit } = await submitted({ upload: "chunked" });
    world.standIn.faults.add({ path: TRANSFER, do: "session-gone" });
    await submit();
    await world.advanceUntil(() => world.told()[0]?.includes("problem video session") === true);
    expect(await world.settle(id)).toMatchObject({ state: "published" });
    expect(world.standIn.ledger.filter(({ path }) => START.test(path))).toHaveLength(2);
    expect(world.videos()).toHaveLength(1);
  });

  it("starts again if the file's download broke off", async () => {
    for (const upload of ["simple", "chunked"] as const) {
      const { world, id, submit } = await submitted({ upload });
      world.files.breakAfterBytes = 20_000;
      await submit();
      await world.advanceUntil(() => world.told()[0]?.includes("problem discord") === true);
      world.files.breakAfterBytes = undefined;
      expect(await world.settle(id)).toMatchObject({ state: "published" });
      expect(world.videos()).toHaveLength(1);
      await world.close();
    }
  });

  it("expires once the file's link has ended", async () => {
    const { world, life, id } = await submitted({ upload: "simple" });
    await world.advanceUntil(async () => (await world.row(id)).state === "expired", 25 * HOUR_MS);
    expect(await world.row(id)).toMatchObject({ fileUrl: undefined });
    // The draft has no message that could say so.
    expect(world.told()).toEqual([]);
    expect(await life.publish.submit(id, ADA)).toMatchObject({ state: "expired" });

    world.files.status = undefined;
    const other = await life.publish.draft(world.order());
    world.files.status = 404;
    await life.publish.submit(other.id, ADA);
    expect(await world.settle(other.id)).toMatchObject({ state: "expired", fileUrl: undefined });
    expect(world.told()).toEqual(["publication, expired, Opening day"]);
    expect(world.videos()).toHaveLength(0);
  });

  it("forgets a failed publication's file once its link has ended", async () => {
    const { world, life, id, submit } = await submitted({ upload: "simple" });
    world.standIn.faults.add({ path: SIMPLE, do: "permission" });
    await submit();
    await world.settle(id);
    await world.advanceUntil(async () => (await world.row(id)).fileUrl === undefined, 25 * HOUR_MS);
    expect(await life.publish.find(id)).toMatchObject({
      problem: { trouble: "permission" },
      mayRetry: false,
    });
    await expect(life.publish.retry(id, ADA)).rejects.toThrow("attach the video again");
  });

  it("uploads two at once, shows that the others wait, and then uploads those", async () => {
    const world = await openPublishWorld({ upload: "simple" });
    const { publish } = world.begin();
    world.files.holdAfterBytes = 20_000;
    const ids: string[] = [];
    for (const title of ["a", "b", "c", "d"]) {
      const { id } = await publish.draft(world.order({ title }));
      await publish.submit(id, ADA);
      ids.push(id);
    }
    await until(() => world.told().length === 4 && world.standIn.simpleUploads().length === 2);
    await world.clock.advance(10_000);
    expect(world.standIn.simpleUploads()).toHaveLength(2);
    world.files.holdAfterBytes = undefined;
    world.files.letGo();
    for (const id of ids) {
      expect(await world.settle(id)).toMatchObject({ state: "published" });
    }
    expect(
      world
        .videos()
        .map(({ title }) => title)
        .toSorted(),
    ).toEqual(["a", "b", "c", "d"]);
  });

  it("releases its claims when it closes, so that another process continues at once", async () => {
    const { world, life, id, submit } = await submitted({ upload: "simple" });
    world.files.holdAfterBytes = 20_000;
    await submit();
    await until(
      async () => (await world.row(id)).pendingWrite === "simple" && world.files.asked.length === 2,
    );
    await life.runner.close();
    expect(await world.row(id)).toMatchObject({
      state: "uploading",
      pendingWrite: undefined,
      claimedUntilMs: undefined,
    });
    life.end();
    world.files.holdAfterBytes = undefined;
    world.begin();
    expect(await world.settle(id)).toMatchObject({ state: "published" });
    expect(world.clock.now() - START_MS).toBeLessThan(MINUTE_MS);
    expect(world.videos()).toHaveLength(1);
  });

  it("releases a claim that it was making while it closed", async () => {
    const { world, life, id, submit } = await submitted({ upload: "simple" });
    const { publications } = world.database;
    const claim = publications.claim.bind(publications);
    const order: string[] = [];
    let closing: Promise<void> | undefined;
    publications.claim = async (...claimed) => {
      closing ??= life.runner.close().finally(() => order.push("closed"));
      await new Promise((resolve) => setImmediate(resolve));
      order.push("claimed");
      return claim(...claimed);
    };
    await submit();
    await until(() => closing !== undefined);
    await closing;
    expect(order).toEqual(["claimed", "closed"]);
    expect(await world.row(id)).toMatchObject({ state: "uploading", claimedUntilMs: undefined });
    expect(world.standIn.ledger).toEqual([]);
  });

  it("leaves it to another process to show what it learns while it closes", async () => {
    const { world, life, id, submit } = await submitted({ upload: "simple" });
    const { publications } = world.database;
    const change = publications.change.bind(publications);
    let closing: Promise<void> | undefined;
    publications.change = async (seen, changes, more) => {
      if (changes.state === "published") {
        closing ??= life.runner.close();
      }
      return change(seen, changes, more);
    };
    await submit();
    await world.advanceUntil(() => closing !== undefined);
    await closing;
    expect(await world.row(id)).toMatchObject({ state: "published", claimedUntilMs: undefined });
    expect(world.told()).not.toEqual([expect.stringContaining("published")]);
    life.end();
    world.begin();
    await world.advanceUntil(() => world.told()[0]?.includes("published") === true, MINUTE_MS);
  });

  it("logs no files, titles or tokens", async () => {
    const { world, id, submit } = await submitted({ upload: "chunked" });
    world.standIn.faults.add({ path: FINISH, do: "500-after" });
    await submit();
    await world.settle(id);
    const log = world.lines.join("\n");
    expect(log).toContain(id);
    expect(log).not.toMatch(/Opening day|first train|attachments\/|EAASandbox|day\.mp4/);
  });
});

async function yieldToEventLoop(): Promise<void> {
  for (let turns = 0; turns < 5; turns += 1) {
    await new Promise((resolve) => setImmediate(resolve));
  }
}
