import { describe, expect, test } from "vitest";
import {
  type OpenVideo,
  type OpenVideoOptions,
  openVideo,
  sourceOf,
  videoBytes,
} from "../../support/video-stand-in.ts";
import { failureOf } from "../../support/outcomes.ts";
import { answerWith } from "../../support/transport-stub.ts";
import { openVideoStub } from "../../support/video-stub.ts";

const BYTES = videoBytes(2_000);

/** Opens a stand-in with one public video. */
async function openPublished(options: OpenVideoOptions = {}): Promise<OpenVideo & { readonly id: string }> {
  const open = await openVideo(options);
  const { client, account, clock } = open;
  const id = await client.uploadSimple(account, { source: sourceOf(BYTES), title: "Opening day" });
  await clock.advance(60_000);
  return { ...open, id: id ?? "" };
}

describe("reading a video", () => {
  test("returns all fields, with an absolute link and the shares of its post", async () => {
    const { client, account, clock, id, standIn } = await openPublished();
    await clock.advance(5 * 3_600_000);
    standIn.say(id, "Nice", "Alan");
    const video = await client.read(account, id, { withShares: true });
    expect(video).toEqual({
      id,
      title: "Opening day",
      description: undefined,
      createdAtMs: Date.parse("2026-11-18T17:20:00Z"),
      lengthSeconds: 1,
      status: { stage: "published", percent: undefined, problem: undefined },
      publishAtMs: undefined,
      link: `${standIn.baseUrl}/reel/${id}/`,
      picture: expect.stringContaining(`${standIn.baseUrl}/media/${id}.jpg`),
      ownerId: standIn.pageId,
      postId: expect.stringMatching(/^\d{17,}$/),
      views: expect.any(Number),
      comments: 1,
      likes: expect.any(Number),
      shares: expect.any(Number),
    });
    expect(video.views).toBeGreaterThan(400);
    expect(video.shares).toBeGreaterThan(5);
    const page = await fetch(video.link ?? "");
    expect(await page.text()).toContain(`src="/media/${id}.mp4"`);
    const file = await fetch(`${standIn.baseUrl}/media/${id}.mp4`);
    expect(Buffer.from(await file.arrayBuffer()).equals(BYTES)).toBe(true);
  });

  test("keeps every digit of its ids", async () => {
    const { client, account, id, standIn } = await openPublished();
    expect(Number.isSafeInteger(Number(id))).toBe(false);
    expect((await client.read(account, id)).id).toBe(id);
    expect(standIn.videos()[0]?.id).toBe(id);
  });

  test("returns 0 if there are no shares, and undefined if they cannot be read", async () => {
    const { client, account, id, standIn } = await openPublished();
    expect((await client.read(account, id, { withShares: true })).shares).toBe(0);
    standIn.faults.add({ path: /^\/\d+_\d+$/, do: "permission" });
    expect((await client.read(account, id, { withShares: true })).shares).toBeUndefined();
  });

  test.each([
    ["is gone", (id: string) => `${id}1`],
    ["is not an id", () => "../me"],
    ["would change the path", (id: string) => `${id}/comments?x=`],
  ])("fails with not-found if the id %s", async (_, change) => {
    const { client, account, id } = await openPublished();
    expect((await failureOf(client.read(account, change(id)))).kind).toBe("not-found");
  });

  test("needs the post's whole id for its shares", async () => {
    const { client, account, clock, id, standIn } = await openPublished();
    await clock.advance(5 * 3_600_000);
    const { postId = "" } = await client.read(account, id, { withShares: true });
    expect(standIn.ledger.at(-1)?.path).toBe(`/${standIn.pageId}_${postId}`);
    expect(await failureOf(client.read(account, postId))).toMatchObject({
      kind: "rejected",
      message: expect.stringMatching(/error 12$/),
    });
  });

  test("of another page fails with not-found", async () => {
    const { client, id, standIn } = await openPublished();
    const error = await failureOf(client.read({ token: standIn.tokens.secondPage }, id));
    expect(error).toMatchObject({ trouble: "gone", message: expect.stringMatching(/error 100\/33$/) });
  });

  test.each(["transient", "unknown", "500", "drop", "truncated"] as const)(
    "is retried once if the service fails (%s)",
    async (kind) => {
      const { client, account, id, standIn, advanceUntil } = await openPublished();
      standIn.faults.add({ path: `/${id}`, do: kind });
      expect((await advanceUntil(client.status(account, id))).stage).toBe("published");
      standIn.faults.add({ path: `/${id}`, do: kind, times: 2 });
      expect((await failureOf(advanceUntil(client.status(account, id)))).kind).toBe("unavailable");
    },
  );

  test("accepts a slow answer, and reports an HTML page as an unexpected answer", async () => {
    const { client, account, id, standIn } = await openPublished();
    standIn.faults.add({ path: `/${id}`, do: "slow-body" });
    expect((await client.read(account, id)).title).toBe("Opening day");
    standIn.faults.add({ path: `/${id}`, do: "html" });
    expect((await failureOf(client.read(account, id))).kind).toBe("unexpected-answer");
  });
});

describe("processing", () => {
  test("is reported until its end", async () => {
    const { client, account, clock } = await openVideo({ processingMs: 30_000 });
    const id = (await client.uploadSimple(account, { source: sourceOf(BYTES) })) ?? "";
    expect(await client.status(account, id)).toMatchObject({ stage: "processing", percent: 0 });
    await clock.advance(30_000);
    expect(await client.status(account, id)).toMatchObject({ stage: "published" });
  });

  test("that fails says why", async () => {
    const { client, account, clock, standIn } = await openVideo();
    standIn.faults.add({ path: "/me/videos/simple", do: "failed" });
    const id = (await client.uploadSimple(account, { source: sourceOf(BYTES) })) ?? "";
    await clock.advance(60_000);
    expect(await client.status(account, id)).toEqual({
      stage: "failed",
      percent: undefined,
      problem: "The video could not be processed.",
    });
  });
});

describe("the list", () => {
  test("contains uploads page by page, newest first, and never a token", async () => {
    const { client, account, standIn } = await openVideo();
    const made: (string | undefined)[] = [];
    for (let at = 0; at < 27; at += 1) {
      made.push(await client.uploadSimple(account, { source: sourceOf(BYTES) }));
    }
    const first = await client.list(account);
    expect(first.items.map(({ id }) => id)).toEqual(made.toReversed().slice(0, 25));
    const second = await client.list(account, first.after);
    expect(second.items.map(({ id }) => id)).toEqual(made.toReversed().slice(25));
    expect(second.after).toBeUndefined();
    expect(JSON.stringify([first, second])).not.toContain(account.token);
    expect(standIn.ledger.every(({ tokenIn }) => tokenIn === "header")).toBe(true);
  });

  test("is built from posts, page by page, if the service refuses it", async () => {
    const { client, account, clock, standIn } = await openVideo({ deniesVideoLists: true });
    const made: (string | undefined)[] = [];
    for (let at = 0; at < 27; at += 1) {
      made.push(await client.uploadSimple(account, { source: sourceOf(BYTES), title: `Day ${at}` }));
    }
    await clock.advance(60_000);
    const first = await client.list(account);
    const second = await client.list(account, first.after);
    expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(made.toReversed());
    expect(second.after).toBeUndefined();
    expect(first.items[0]).toMatchObject({
      title: "Day 26",
      status: { stage: "published" },
      link: `${standIn.baseUrl}/reel/${made[26]}/`,
      createdAtMs: Date.parse("2026-11-18T17:20:08Z"),
      views: undefined,
    });
    expect(JSON.stringify([first, second])).not.toContain(account.token);
    const { views } = await client.read(account, made[26] ?? "");
    expect(views).toBe(3);
  });

  test("is built from posts if the service calls it deprecated, also from a post without a time and a link", async () => {
    const post = {
      id: "9_1",
      message: "Opening day",
      attachments: { data: [{ media_type: "video", target: { id: "5" } }] },
    };
    const { client } = await openVideoStub((request, response) => {
      const answer = request.url?.includes("/published_posts")
        ? answerWith({ data: [post] })
        : answerWith({ error: { code: 12, message: "(#12) deprecated" } }, 400);
      answer(request, response);
    });
    expect((await client.list({ token: "token" })).items).toMatchObject([{ id: "5", title: "Opening day" }]);
  });

  test("that neither way can provide fails with the first error", async () => {
    const { client, account, standIn } = await openVideo({ deniesVideoLists: true });
    standIn.faults.add({ path: "/me/published_posts", do: "permission" });
    expect(await failureOf(client.list(account))).toMatchObject({ trouble: "unsupported" });
    standIn.faults.add({ path: "/me/videos", do: "token-expired" });
    expect(await failureOf(client.list(account))).toMatchObject({ kind: "unauthorised" });
    expect(standIn.ledger.filter(({ path }) => path === "/me/published_posts")).toHaveLength(1);
  });

  test("contains the videos of one account only", async () => {
    const { client, standIn } = await openPublished();
    expect(await client.list({ token: standIn.tokens.secondPage })).toEqual({ items: [], after: undefined });
  });
});

describe("an update or a deletion", () => {
  test("changes title and description, and no field that is not given", async () => {
    const { client, account, id, standIn } = await openPublished();
    await client.update(account, id, { title: "Second day" });
    await client.update(account, id, { description: "With more steam" });
    expect(standIn.videos()).toMatchObject([{ title: "Second day", description: "With more steam" }]);
    expect(standIn.ledger.at(-1)).toMatchObject({ method: "POST", write: { what: "change", id } });
  });

  test("moves a scheduled publication", async () => {
    const { client, account, clock } = await openVideo();
    const publishAtMs = clock.now() + 3_600_000;
    const id = (await client.uploadSimple(account, { source: sourceOf(BYTES), publishAtMs })) ?? "";
    await client.update(account, id, { publishAtMs: publishAtMs + 60_000 });
    await clock.advance(60_000);
    expect(await client.read(account, id)).toMatchObject({
      publishAtMs: publishAtMs + 60_000,
      status: { stage: "scheduled" },
    });
  });

  test("removes a video", async () => {
    const { client, account, id, standIn } = await openPublished();
    await client.delete(account, id);
    expect(standIn.videos()).toEqual([]);
    expect((await failureOf(client.delete(account, id))).kind).toBe("not-found");
  });

  test.each(["drop-after", "500-after", "malformed", "truncated", "html"] as const)(
    "without an answer (%s) has an unknown outcome, and is not repeated",
    async (kind) => {
      const { client, account, id, standIn } = await openPublished();
      standIn.faults.add({ method: "POST", path: `/${id}`, do: kind });
      expect((await failureOf(client.update(account, id, { title: "x" }))).kind).toBe("outcome-unknown");
      standIn.faults.add({ method: "DELETE", path: `/${id}`, do: kind });
      expect((await failureOf(client.delete(account, id))).kind).toBe("outcome-unknown");
      expect(standIn.ledger.filter(({ path, method }) => path === `/${id}` && method !== "GET")).toHaveLength(
        2,
      );
    },
  );

  test("is rejected if the service says that it was not done", async () => {
    const { client, account, id, standIn } = await openPublished();
    standIn.faults.add({ path: `/${id}`, do: "success-false" });
    expect((await failureOf(client.update(account, id, { title: "x" }))).kind).toBe("rejected");
  });
});
