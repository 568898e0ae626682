import { describe, expect, test } from "vitest";
import { openVideo, sourceOf, videoBytes } from "../../support/video-stand-in.ts";
import { failureOf } from "../../support/outcomes.ts";

/** Opens a stand-in with a video that has two comments. */
async function openDiscussed() {
  const open = await openVideo();
  const { client, account, clock, standIn } = open;
  const id = (await client.uploadSimple(account, { source: sourceOf(videoBytes(2_000)) })) ?? "";
  await clock.advance(60_000);
  const first = standIn.say(id, "Lovely", "Alan");
  const second = standIn.say(id, "Buy my watches");
  return { ...open, id, first, second };
}

describe("comments", () => {
  test("are listed, newest first, with the actions that are possible", async () => {
    const { client, account, id, first, second } = await openDiscussed();
    const page = await client.listComments(account, id);
    expect(page).toMatchObject({ total: 2, after: undefined });
    expect(page.items).toEqual([
      {
        id: second,
        parentId: undefined,
        message: "Buy my watches",
        createdAtMs: Date.parse("2026-11-18T17:21:00Z"),
        author: undefined,
        replies: 0,
        likes: 0,
        isHidden: false,
        canHide: true,
        canRemove: true,
      },
      expect.objectContaining({ id: first, author: { id: expect.any(String), name: "Alan" } }),
    ]);
  });

  test("come in pages", async () => {
    const { client, account, id, standIn } = await openDiscussed();
    for (let at = 0; at < 10; at += 1) {
      standIn.say(id, `comment ${at}`);
    }
    const first = await client.listComments(account, id);
    const second = await client.listComments(account, id, first.after);
    expect([first.items.length, second.items.length, second.after]).toEqual([10, 2, undefined]);
  });

  test("can be added, answered, changed, hidden, shown and removed", async () => {
    const { client, account, id, first, second, standIn } = await openDiscussed();
    const own = (await client.addComment(account, id, "Thank you all")) ?? "";
    const reply = (await client.addComment(account, first, "Thank you")) ?? "";
    expect((await client.listComments(account, first)).items.map((one) => one.id)).toEqual([reply]);
    await client.editComment(account, own, "Thank you all, and good night");
    await client.hideComment(account, second, true);
    const { items: seen, total } = await client.listComments(account, id);
    // Replies are counted, but not listed here.
    expect(total).toBe(4);
    expect(seen.map(({ id: one, message, isHidden, replies }) => [one, message, isHidden, replies])).toEqual([
      [own, "Thank you all, and good night", false, 0],
      [second, "Buy my watches", true, 0],
      [first, "Lovely", false, 1],
    ]);
    await client.hideComment(account, second, false);
    expect(standIn.comments().every(({ isHidden }) => !isHidden)).toBe(true);
    await client.deleteComment(account, second);
    expect(standIn.comments().map((one) => one.id)).toEqual([first, own, reply]);
  });

  test("can be read one by one, replies with the comment that they answer", async () => {
    const { client, account, first, second, standIn } = await openDiscussed();
    const reply = (await client.addComment(account, first, "Thank you")) ?? "";
    expect(await client.readComment(account, reply)).toMatchObject({
      message: "Thank you",
      parentId: first,
      author: { id: standIn.pageId },
    });
    expect(await client.readComment(account, second)).toMatchObject({
      parentId: undefined,
      author: undefined,
    });
    await client.deleteComment(account, second);
    expect((await failureOf(client.readComment(account, second))).kind).toBe("not-found");
  });

  test("cannot be changed if they are other people's, or hidden if they are the account's own", async () => {
    const { client, account, id, first } = await openDiscussed();
    expect((await failureOf(client.editComment(account, first, "I am rude"))).kind).toBe("not-permitted");
    const own = (await client.addComment(account, id, "Thank you")) ?? "";
    expect((await failureOf(client.hideComment(account, own, true))).kind).toBe("not-permitted");
  });

  test("may not be empty", async () => {
    const { client, account, id } = await openDiscussed();
    expect(await failureOf(client.addComment(account, id, "  "))).toMatchObject({
      kind: "rejected",
      trouble: "empty",
    });
  });

  test("are missing for a person's token, and refused to a page's token without the permission", async () => {
    const { client, id, standIn } = await openDiscussed();
    expect((await client.listComments({ token: standIn.tokens.person }, id)).items).toEqual([]);
    const error = await failureOf(client.listComments({ token: standIn.tokens.readOnly }, id));
    expect(error).toMatchObject({ kind: "not-permitted", permission: "pages_read_user_content" });
  });

  test("have an unknown outcome if the answer is lost, and are not sent again", async () => {
    const { client, account, id, standIn } = await openDiscussed();
    standIn.faults.add({ path: `/${id}/comments`, do: "drop-after" });
    expect((await failureOf(client.addComment(account, id, "Once"))).kind).toBe("outcome-unknown");
    expect(standIn.comments().filter(({ message }) => message === "Once")).toHaveLength(1);
  });
});
