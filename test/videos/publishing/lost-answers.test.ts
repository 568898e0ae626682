// Each write of an upload gets an answer that is lost, wrong or invalid. Nothing may be published twice.
import { describe, expect, it } from "vitest";
import { ADA, GRACE, GUILD, openPublishWorld } from "../../support/publish-world.ts";

type Fault = Parameters<Awaited<ReturnType<typeof openPublishWorld>>["standIn"]["faults"]["add"]>[0]["do"];

/** Faults that lose the answer of a request that was done. */
const DONE: readonly Fault[] = ["500-after", "drop-after", "malformed", "truncated"];
/** Faults of a request that was not done. */
const NOT_DONE: readonly Fault[] = ["500", "drop", "transient", "unknown", "html"];

async function publishWith(upload: "simple" | "chunked", path: RegExp, kind: Fault) {
  const world = await openPublishWorld({ upload, windowBytes: () => 20_000 });
  const fault = world.standIn.faults.add({ method: "POST", path, do: kind });
  const { publish } = world.begin();
  const { id } = await publish.draft(world.order());
  await publish.submit(id, ADA);
  const { state } = await world.settle(id);
  expect(fault.hits).toBe(1);
  return { world, publish, id, state };
}

/** Opens a world with two equal publications: the service has both videos, and nobody knows which is which. */
async function twins() {
  const world = await openPublishWorld({ upload: "simple" });
  world.standIn.faults.add({ method: "POST", path: /\/videos\/simple$/, do: "drop-after", times: 2 });
  const { publish, rules } = world.begin();
  const ids: string[] = [];
  for (let count = 0; count < 2; count += 1) {
    const { id } = await publish.draft(world.order());
    await publish.submit(id, ADA);
    ids.push(id);
  }
  const [first = "", second = ""] = ids;
  expect(await world.settle(first)).toMatchObject({ state: "outcome-unknown" });
  expect(await world.settle(second)).toMatchObject({ state: "outcome-unknown" });
  return { world, publish, rules, first, second };
}

describe("a lost answer", () => {
  it.each(DONE.map((kind) => [kind]))("to a simple upload that was done (%s) is reconciled", async (kind) => {
    const { world, state } = await publishWith("simple", /\/videos\/simple$/, kind);
    expect(state).toBe("published");
    expect(world.videos()).toHaveLength(1);
  });

  it.each(NOT_DONE.map((kind) => [kind]))(
    "to a simple upload that was not done (%s) is reconciled, and sent again only if a person says so",
    async (kind) => {
      const { world, publish, id, state } = await publishWith("simple", /\/videos\/simple$/, kind);
      // If the connection broke in the middle, the upload is incomplete for certain, so it was sent again.
      const isUnknown = state === "outcome-unknown";
      const [told = ""] = world.told();
      expect({
        videos: world.videos().length,
        isSaid: told.includes("problem video outcome-unknown"),
      }).toEqual({
        videos: isUnknown ? 0 : 1,
        isSaid: isUnknown,
      });
      expect(await publish.findCandidate(id)).toEqual({ candidate: undefined });
      await publish.resolveOutcome(id, "absent", ADA);
      expect(await world.settle(id)).toMatchObject({ state: "published" });
      expect(world.videos()).toHaveLength(1);
    },
  );

  it.each(DONE.map((kind) => [kind]))("to a finish that was done (%s) is reconciled", async (kind) => {
    const { world, state } = await publishWith("chunked", /\/videos\/finish$/, kind);
    expect(state).toBe("published");
    expect(world.videos()).toHaveLength(1);
    expect(world.standIn.ledger.filter(({ path }) => path.endsWith("/finish"))).toHaveLength(1);
  });

  it.each([["success-false"], ["no-id"]] as const)(
    "with %s for a write that was done is reconciled",
    async (kind) => {
      const upload = kind === "no-id" ? "simple" : "chunked";
      const { world, state } = await publishWith(upload, /\/videos\/(?:simple|finish)$/, kind);
      expect(state).toBe("published");
      expect(world.videos()).toHaveLength(1);
    },
  );

  it.each(NOT_DONE.map((kind) => [kind]))(
    "to a finish that was not done (%s) is left to a person, and sent again only if they say so",
    async (kind) => {
      const { world, publish, id, state } = await publishWith("chunked", /\/videos\/finish$/, kind);
      expect(state).toBe("outcome-unknown");
      expect(world.videos()).toHaveLength(0);
      await publish.resolveOutcome(id, "absent", ADA);
      expect(await world.settle(id)).toMatchObject({ state: "published" });
      expect(world.videos()).toHaveLength(1);
    },
  );

  it.each([...DONE, ...NOT_DONE].map((kind) => [kind]))(
    "to a start (%s) costs no more than a session",
    async (kind) => {
      const { world, state } = await publishWith("chunked", /\/videos\/start$/, kind);
      expect(state).toBe("published");
      expect(world.videos()).toHaveLength(1);
    },
  );

  it.each([...DONE, ...NOT_DONE].map((kind) => [kind]))(
    "to a piece (%s) does not stop the upload",
    async (kind) => {
      const { world, state } = await publishWith("chunked", /\/videos\/transfer$/, kind);
      expect(state).toBe("published");
      expect(world.videos()).toHaveLength(1);
    },
  );

  it.each(["simple", "chunked"] as const)(
    "to an upload that a person gives up is not resolved further (%s)",
    async (upload) => {
      const path = upload === "simple" ? /\/videos\/simple$/ : /\/videos\/finish$/;
      const { world, publish, id, state } = await publishWith(upload, path, "unknown");
      expect(state).toBe("outcome-unknown");
      await publish.resolveOutcome(id, "given-up", ADA);
      expect(await world.settle(id)).toMatchObject({
        state: "cancelled",
        fileUrl: undefined,
        session: undefined,
      });
      expect(world.videos()).toEqual([]);
      expect(world.told()).toEqual(["publication, cancelled, Opening day, problem video outcome-unknown"]);
      const [entry] = await world.database.videoRecords.auditEntries(GUILD, { limit: 1 });
      expect(entry).toMatchObject({ act: "settled", note: "left as it is" });
    },
  );

  it("can be given up even if the account is no longer linked, so that nobody can look", async () => {
    const { world, publish, id } = await publishWith("simple", /\/videos\/simple$/, "unknown");
    world.accounts.current = undefined;
    expect(await publish.findCandidate(id)).toEqual({ problem: { of: "account", kind: "no-account" } });
    await expect(publish.resolveOutcome(id, "absent", ADA)).rejects.toThrow(
      "no longer linked. It's the bot's own account",
    );
    await publish.resolveOutcome(id, "given-up", ADA);
    expect(await world.settle(id)).toMatchObject({ state: "cancelled", fileUrl: undefined });
    expect(await world.acts()).toEqual(["submitted", "failed", "settled"]);
  });

  it("can be given up even if the service lets nobody look", async () => {
    const { world, publish, id } = await publishWith("simple", /\/videos\/simple$/, "unknown");
    world.standIn.faults.add({ method: "GET", path: /./, do: "permission", times: 1_000 });
    expect(await publish.findCandidate(id)).toMatchObject({
      problem: { of: "video", kind: "not-permitted" },
    });
    await expect(publish.resolveOutcome(id, "absent", ADA)).rejects.toMatchObject({ kind: "not-permitted" });
    await publish.resolveOutcome(id, "given-up", ADA);
    expect(await world.settle(id)).toMatchObject({ state: "cancelled", fileUrl: undefined });
  });

  it("to an upload that a person called absent is corrected if the video exists after all", async () => {
    const world = await openPublishWorld({ upload: "chunked" });
    world.standIn.faults.add({ method: "POST", path: /\/videos\/finish$/, do: "drop-after" });
    const hidden = world.standIn.faults.add({ method: "GET", path: /^\/\d+$/, do: "gone", times: 1_000 });
    const { publish } = world.begin();
    const { id } = await publish.draft(world.order());
    await publish.submit(id, ADA);
    expect(await world.settle(id)).toMatchObject({ state: "outcome-unknown" });
    hidden.remove();
    await publish.resolveOutcome(id, "absent", ADA);
    expect(await world.settle(id)).toMatchObject({ state: "published" });
    expect(world.videos()).toHaveLength(1);
    expect(await world.acts()).toEqual(["submitted", "failed", "settled", "published"]);
  });

  it("leads to a second upload if a person has seen the only similar video and says that it is another one", async () => {
    const { world, publish, id } = await publishWith("simple", /\/videos\/simple$/, "unknown");
    // Somebody has published the same video by hand, and the bot does not know that.
    const { id: other } = await publish.draft(world.order());
    await publish.submit(other, ADA);
    await world.database.publications.change(await world.settle(other), { videoId: undefined });
    const { candidate: found } = await publish.findCandidate(id);
    expect(found?.id).toBe(world.videos()[0]?.id);
    await publish.resolveOutcome(id, "absent", ADA, [found?.id ?? ""]);
    expect(await world.settle(id)).toMatchObject({ state: "published", videoId: world.videos()[1]?.id });
    expect(world.videos()).toHaveLength(2);
  });

  it("does not claim another server's video with the same account and texts", async () => {
    const world = await openPublishWorld({ upload: "simple" });
    world.standIn.faults.add({ method: "POST", path: /\/videos\/simple$/, do: "drop-after" });
    world.standIn.faults.add({ method: "POST", path: /\/videos\/simple$/, do: "unknown" });
    const { publish } = world.begin();
    const ids: string[] = [];
    for (const guildId of [GUILD, "g2"]) {
      const { id } = await publish.draft(world.order({ guildId }));
      await publish.submit(id, ADA);
      ids.push(id);
    }
    for (const id of ids) {
      expect(await world.settle(id)).toMatchObject({ state: "outcome-unknown" });
    }
    expect(world.videos()).toHaveLength(1);
  });

  it("offers only the newest of two similar videos, and only publishers may decide", async () => {
    const { world, publish, rules, first } = await twins();
    expect((await publish.findCandidate(first)).candidate?.id).toBe(world.videos().at(-1)?.id);
    await expect(publish.resolveOutcome(first, { videoId: "123" }, ADA)).rejects.toThrow("doesn't match");
    // If the person attached it again, it might be published twice.
    await expect(publish.edit(first, { title: "Other" }, ADA)).rejects.toThrow("press **Look for it**");
    await expect(publish.cancel(first, ADA)).rejects.toThrow("press **Look for it**");
    await rules.change(GUILD, { publisherRoleId: "77" }, ADA);
    await expect(publish.resolveOutcome(first, "absent", ADA)).rejects.toMatchObject({
      reason: "permission",
    });
  });

  it("offers no video with another title", async () => {
    const { world, publish, id } = await publishWith("simple", /\/videos\/simple$/, "unknown");
    const { id: other } = await publish.draft(world.order({ title: "Closing day" }));
    await publish.submit(other, ADA);
    await world.database.publications.change(await world.settle(other), { videoId: undefined });
    expect(await publish.findCandidate(id)).toEqual({ candidate: undefined });
  });

  it("gives a video to one of two people who choose it at the same time, and tells the other", async () => {
    const { world, publish, first, second } = await twins();
    const { candidate } = await publish.findCandidate(first);
    const choice = { videoId: candidate?.id ?? "" };
    const outcomes = await Promise.allSettled([
      publish.resolveOutcome(first, choice, ADA),
      world.begin().publish.resolveOutcome(second, choice, GRACE),
    ]);
    const lost = outcomes.flatMap((each) => (each.status === "rejected" ? [String(each.reason)] : []));
    expect(lost).toEqual([
      expect.stringMatching(/^UserError: (?:Somebody else got there first|.*doesn't match)/),
    ]);
    const rows = [await world.row(first), await world.row(second)];
    expect(rows.filter(({ videoId }) => videoId === choice.videoId)).toHaveLength(1);
    expect(rows.filter(({ state }) => state === "outcome-unknown")).toHaveLength(1);
    expect((await world.acts()).filter((act) => act === "settled")).toHaveLength(1);
  });

  it("neither causes a second upload nor claims a video before a person has seen all similar ones", async () => {
    const { world, publish, first } = await twins();
    const [older = "", newer = ""] = world.videos().map(({ id }) => id);
    for (const [seen, next] of [
      [[], newer],
      [[newer], older],
      [[older], newer],
    ] as const) {
      const { publication, candidate } = await publish.resolveOutcome(first, "absent", ADA, seen);
      expect(publication.state).toBe("outcome-unknown");
      expect(candidate?.id).toBe(next);
    }
    expect(await world.row(first)).toMatchObject({ state: "outcome-unknown", videoId: undefined });
    await publish.resolveOutcome(first, "absent", ADA, [newer, older]);
    expect(await world.settle(first)).toMatchObject({ state: "published" });
    expect(world.videos()).toHaveLength(3);
  });

  it("lets a person choose between two similar videos", async () => {
    const { world, publish, first, second } = await twins();
    const [older = "", newer = ""] = world.videos().map(({ id }) => id);
    await publish.resolveOutcome(first, { videoId: newer }, ADA);
    expect(await world.settle(first)).toMatchObject({ state: "published", videoId: newer });
    // Now there is only one left.
    expect(await publish.findCandidate(second)).toMatchObject({ candidate: { id: older } });
    await publish.resolveOutcome(second, "absent", ADA);
    expect(await world.settle(second)).toMatchObject({ state: "published", videoId: older });
    expect(world.videos()).toHaveLength(2);
  });
});
