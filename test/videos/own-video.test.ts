import { describe, expect, it } from "vitest";
import { UserError } from "../../src/core/errors.ts";
import { GARDEN, GRACE, HALL, openManagedVideos } from "../support/managed-videos.ts";

const IT_IS_NOT_YOURS = /This server has no video by that name/;

describe("a video on the operator's account", () => {
  it("can be seen by its own server", async () => {
    const { videos, publish } = await openManagedVideos();
    const { id } = await publish();
    expect(await videos.show({ guildId: HALL, videoId: id, by: GRACE })).toMatchObject({
      id,
      title: "Opening day",
    });
  });

  it("cannot be seen by another server, or by its own if it was published elsewhere", async () => {
    const { videos, publish, upload, standIn, entriesOf, lines } = await openManagedVideos();
    const { id } = await publish();
    const foreign = await upload(standIn.tokens.page);
    await expect(videos.show({ guildId: GARDEN, videoId: id, by: GRACE })).rejects.toThrow(IT_IS_NOT_YOURS);
    await expect(videos.show({ guildId: HALL, videoId: foreign, by: GRACE })).rejects.toThrow(
      IT_IS_NOT_YOURS,
    );
    await expect(videos.delete({ guildId: GARDEN, videoId: id, by: GRACE })).rejects.toThrow(IT_IS_NOT_YOURS);
    expect(standIn.videos()).toHaveLength(2);
    expect((await entriesOf(GARDEN)).slice(1)).toEqual([
      { act: "denied", actorId: "7", videoId: id, note: "see a video" },
      { act: "denied", actorId: "7", videoId: id, note: "delete a video" },
    ]);
    expect(lines.join()).toMatch(/"act":"denied"/);
  });

  it("is found after a restart, and is still refused to another server", async () => {
    const { createLife, publish } = await openManagedVideos();
    const { id } = await publish();
    expect((await createLife().show({ guildId: HALL, videoId: id, by: GRACE })).id).toBe(id);
    await expect(createLife().stats({ guildId: GARDEN, videoId: id, by: GRACE })).rejects.toThrow(
      IT_IS_NOT_YOURS,
    );
  });
});

describe("a video of a linked account", () => {
  it("belongs to its server, wherever it was published", async () => {
    const { videos, upload, standIn } = await openManagedVideos();
    const id = await upload(standIn.tokens.secondPage);
    expect(await videos.show({ guildId: GARDEN, videoId: id, by: GRACE })).toMatchObject({
      id,
      ownerId: standIn.secondPageId,
    });
    await expect(videos.show({ guildId: HALL, videoId: id, by: GRACE })).rejects.toThrow(IT_IS_NOT_YOURS);
  });

  it("does not belong to the server if it is another account's that the token can see", async () => {
    const { videos, upload, standIn, accounts } = await openManagedVideos();
    const id = await upload(standIn.tokens.page);
    // A person's token sees the videos of all their pages.
    const { value: token } = standIn.addToken({ value: "EAAEverywhere", kind: "user", ownerId: "7007" });
    const broad = { key: `page:${standIn.secondPageId}` as const, account: { token }, name: undefined };
    Object.assign(accounts, { of: async () => broad });
    await expect(videos.show({ guildId: GARDEN, videoId: id, by: GRACE })).rejects.toThrow(IT_IS_NOT_YOURS);
  });

  it("is refused once the account is unlinked, even if the server published it", async () => {
    const { videos, upload, publications, publish, standIn, accounts } = await openManagedVideos();
    const id = await upload(standIn.tokens.secondPage);
    await publish({ guildId: GARDEN, account: `page:${standIn.secondPageId}`, videoId: id });
    expect((await videos.show({ guildId: GARDEN, videoId: id, by: GRACE })).id).toBe(id);
    const { linkedAtMs = 0 } = (await accounts.linked(GARDEN)) ?? {};
    await accounts.unlink({ guildId: GARDEN, linkedAtMs }, GRACE.userId);
    await expect(videos.show({ guildId: GARDEN, videoId: id, by: GRACE })).rejects.toThrow(
      /no longer linked/,
    );
    expect(await publications.ofVideo(GARDEN, id)).toBeDefined();
  });

  it("marks the account broken if its token has ended", async () => {
    const { videos, upload, standIn, accounts } = await openManagedVideos();
    const id = await upload(standIn.tokens.secondPage);
    await videos.show({ guildId: GARDEN, videoId: id, by: GRACE });
    standIn.invalidateToken(standIn.tokens.secondPage);
    await expect(videos.show({ guildId: GARDEN, videoId: id, by: GRACE })).rejects.toMatchObject({
      kind: "unauthorised",
    });
    expect((await accounts.linked(GARDEN))?.brokenBecause).toBe("token-dead");
    await expect(videos.list(GARDEN)).rejects.toThrow(UserError);
    expect(await videos.suggest(GARDEN, "")).toEqual([]);
  });
});

describe("an id that is not a video's", () => {
  it.each([
    ["a page", ({ pageId }: Named) => pageId],
    ["a post", ({ postId, pageId }: Named) => `${pageId}_${postId}`],
    ["a comment", ({ commentId }: Named) => commentId],
    ["a path", () => "../me"],
    ["the account", () => "me"],
  ])("is refused: %s", async (_, pick) => {
    const { videos, upload, standIn, entriesOf } = await openManagedVideos();
    const id = await upload(standIn.tokens.secondPage);
    const named = {
      pageId: standIn.secondPageId,
      postId: standIn.videos()[0]?.postId ?? "",
      commentId: standIn.say(id, "Nice"),
    };
    await expect(videos.delete({ guildId: GARDEN, videoId: pick(named), by: GRACE })).rejects.toThrow(
      IT_IS_NOT_YOURS,
    );
    expect(standIn.ledger.filter(({ method }) => method === "DELETE")).toEqual([]);
    expect((await entriesOf(GARDEN)).at(-1)?.act).toBe("denied");
  });
});

interface Named {
  readonly pageId: string;
  readonly postId: string;
  readonly commentId: string;
}

it.each([
  ["uploading", /still being published/],
  ["outcome-unknown", /Nobody knows yet whether it was published/],
  ["cancelled", /never published/],
  ["deleted", /was deleted/],
] as const)("a publication that is %s is refused with that reason", async (state, sentence) => {
  const { videos, publish } = await openManagedVideos();
  const { id } = await publish({ state });
  await expect(videos.show({ guildId: HALL, videoId: id, by: GRACE })).rejects.toThrow(sentence);
});

it("a video that is published at the service is shown although the bot recorded a failure", async () => {
  const { videos, publish } = await openManagedVideos();
  const { id } = await publish({ state: "failed" });
  const asked = { guildId: HALL, videoId: id, by: GRACE };
  expect(await videos.show(asked)).toMatchObject({ id, status: { stage: "published" } });
  expect(await videos.delete(asked)).toBe("done");
});

it("a video that the service no longer has is refused with that reason, and is no denied attempt", async () => {
  const { videos, publish, upload, client, account, standIn, entriesOf } = await openManagedVideos();
  const { id } = await publish();
  await client.delete(account, id);
  await expect(videos.show({ guildId: HALL, videoId: id, by: GRACE })).rejects.toThrow(/no longer shows/);
  const theirs = await upload(standIn.tokens.secondPage);
  await client.delete({ token: standIn.tokens.secondPage }, theirs);
  await expect(videos.show({ guildId: GARDEN, videoId: theirs, by: GRACE })).rejects.toThrow(
    /no longer shows/,
  );
  expect((await entriesOf(GARDEN)).map(({ act }) => act)).not.toContain("denied");
});
