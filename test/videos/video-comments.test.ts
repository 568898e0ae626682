import { describe, expect, it } from "vitest";
import { GARDEN, GRACE, HALL, openManagedVideos } from "../support/managed-videos.ts";

/** Opens managed videos with a video of the first server that has two comments. */
async function openDiscussed() {
  const open = await openManagedVideos();
  const { id } = await open.publish();
  const first = open.standIn.say(id, "Lovely", "Alan");
  const second = open.standIn.say(id, "Buy my watches");
  return { ...open, id, first, second };
}

describe("comments", () => {
  it("are read in pages that survive a restart, with the video's title", async () => {
    const { videos, createLife, id, standIn } = await openDiscussed();
    for (let at = 0; at < 20; at += 1) {
      standIn.say(id, `comment ${at}`);
    }
    const first = await videos.comments({ guildId: HALL, videoId: id, by: GRACE }, {});
    expect(first).toMatchObject({ total: 22, after: "1", video: { id, title: "Opening day" } });
    for (const life of [videos, createLife()]) {
      const last = await life.comments({ guildId: HALL, videoId: id, by: GRACE }, { after: "2" });
      expect(last.items.map(({ message }) => message)).toEqual(["Buy my watches", "Lovely"]);
      expect(last.after).toBeUndefined();
    }
  });

  it("can be answered, and the answers read", async () => {
    const { videos, id, first, second, standIn, entriesOf } = await openDiscussed();
    expect(await videos.comment({ guildId: HALL, videoId: id, by: GRACE }, " Thank you ", first)).toBe(
      "done",
    );
    expect(await videos.comment({ guildId: HALL, videoId: id, by: GRACE }, "Hello all")).toBe("done");
    const replies = await videos.comments({ guildId: HALL, videoId: id, by: GRACE }, { replyingTo: first });
    expect(replies.items).toMatchObject([{ message: "Thank you", parentId: first }]);
    expect(
      (await videos.comments({ guildId: HALL, videoId: id, by: GRACE }, { replyingTo: second })).items,
    ).toEqual([]);
    expect(standIn.comments()).toHaveLength(4);
    expect((await entriesOf(HALL)).map(({ act }) => act)).toEqual(["commented", "commented"]);
  });

  it("can be hidden, shown again and deleted", async () => {
    const { videos, id, second, standIn, entriesOf } = await openDiscussed();
    expect(await videos.hideComment({ guildId: HALL, videoId: id, by: GRACE }, second, true)).toBe("done");
    expect(await videos.showComment({ guildId: HALL, videoId: id, by: GRACE }, second)).toMatchObject({
      isOwn: false,
      comment: { isHidden: true },
    });
    expect(await videos.hideComment({ guildId: HALL, videoId: id, by: GRACE }, second, false)).toBe("done");
    expect(await videos.deleteComment({ guildId: HALL, videoId: id, by: GRACE }, second)).toBe("done");
    expect(standIn.comments()).toHaveLength(1);
    expect(await videos.deleteComment({ guildId: HALL, videoId: id, by: GRACE }, second)).toBe("gone");
    await expect(videos.showComment({ guildId: HALL, videoId: id, by: GRACE }, second)).rejects.toThrow(
      /no longer there/,
    );
    expect((await entriesOf(HALL)).map(({ act }) => act)).toEqual([
      "comment-hidden",
      "comment-shown",
      "comment-deleted",
      "comment-deleted",
    ]);
  });

  it("can be changed if they are the account's own, but not if they are other people's", async () => {
    const { videos, id, first } = await openDiscussed();
    await videos.comment({ guildId: HALL, videoId: id, by: GRACE }, "Thank you");
    const { items } = await videos.comments({ guildId: HALL, videoId: id, by: GRACE }, {});
    const own = items[0]?.id ?? "";
    expect((await videos.showComment({ guildId: HALL, videoId: id, by: GRACE }, own)).isOwn).toBe(true);
    expect(await videos.editComment({ guildId: HALL, videoId: id, by: GRACE }, own, "Thank you all")).toBe(
      "done",
    );
    expect((await videos.showComment({ guildId: HALL, videoId: id, by: GRACE }, own)).comment.message).toBe(
      "Thank you all",
    );
    await expect(
      videos.editComment({ guildId: HALL, videoId: id, by: GRACE }, first, "I am rude"),
    ).rejects.toMatchObject({
      kind: "not-permitted",
    });
  });

  it("may not be empty", async () => {
    const { videos, id } = await openDiscussed();
    await expect(videos.comment({ guildId: HALL, videoId: id, by: GRACE }, "  ")).rejects.toThrow(
      /can't be empty/,
    );
  });

  it("can be changed only by publishers if the server has set a role", async () => {
    const { videos, id, first, rules } = await openDiscussed();
    await rules.change(HALL, { publisherRoleId: "99" }, GRACE);
    await expect(videos.comment({ guildId: HALL, videoId: id, by: GRACE }, "Hello")).rejects.toThrow(
      /<@&99>/,
    );
    await expect(videos.hideComment({ guildId: HALL, videoId: id, by: GRACE }, first, true)).rejects.toThrow(
      /<@&99>/,
    );
    await expect(videos.deleteComment({ guildId: HALL, videoId: id, by: GRACE }, first)).rejects.toThrow(
      /<@&99>/,
    );
    expect((await videos.comments({ guildId: HALL, videoId: id, by: GRACE }, {})).items).toHaveLength(2);
  });
});

describe("a comment of another video", () => {
  it("is refused, whoever owns that video, and stays unchanged", async () => {
    const { videos, id, publish, upload, standIn, entriesOf } = await openDiscussed();
    const { id: other } = await publish({ title: "Another" });
    const elsewhere = await upload(standIn.tokens.page);
    for (const forged of [standIn.say(other, "x"), standIn.say(elsewhere, "y"), id, "nonsense", "../me"]) {
      await expect(videos.deleteComment({ guildId: HALL, videoId: id, by: GRACE }, forged)).rejects.toThrow(
        /has no video/,
      );
      await expect(videos.showComment({ guildId: HALL, videoId: id, by: GRACE }, forged)).rejects.toThrow(
        /has no video/,
      );
      await expect(
        videos.comments({ guildId: HALL, videoId: id, by: GRACE }, { replyingTo: forged }),
      ).rejects.toThrow(/has no video/);
      await expect(videos.comment({ guildId: HALL, videoId: id, by: GRACE }, "z", forged)).rejects.toThrow(
        /has no video/,
      );
    }
    expect(standIn.comments()).toHaveLength(4);
    expect((await entriesOf(HALL)).every(({ act }) => act === "denied")).toBe(true);
    await expect(videos.comments({ guildId: GARDEN, videoId: id, by: GRACE }, {})).rejects.toThrow(
      /has no video/,
    );
  });
});

describe("a write to comments", () => {
  it.each(["drop-after", "500-after", "truncated"] as const)(
    "whose answer is lost (%s) is reconciled, and never sent again",
    async (kind) => {
      const { videos, id, first, standIn, advanceUntil } = await openDiscussed();
      const fail = (path: string, method = "POST") => standIn.faults.add({ method, path, do: kind });
      fail(`/${id}/comments`);
      expect(await advanceUntil(videos.comment({ guildId: HALL, videoId: id, by: GRACE }, "Once"))).toBe(
        "done",
      );
      fail(`/${first}/comments`);
      expect(
        await advanceUntil(videos.comment({ guildId: HALL, videoId: id, by: GRACE }, "And once", first)),
      ).toBe("done");
      fail(`/${first}`);
      expect(
        await advanceUntil(videos.hideComment({ guildId: HALL, videoId: id, by: GRACE }, first, true)),
      ).toBe("done");
      fail(`/${first}`, "DELETE");
      expect(await advanceUntil(videos.deleteComment({ guildId: HALL, videoId: id, by: GRACE }, first))).toBe(
        "done",
      );
      const own = standIn.comments().find(({ message }) => message === "Once")?.id ?? "";
      fail(`/${own}`);
      expect(
        await advanceUntil(videos.editComment({ guildId: HALL, videoId: id, by: GRACE }, own, "Twice")),
      ).toBe("done");
      expect(
        standIn.ledger.filter(({ method, write }) => method === "POST" && write?.what === "comment"),
      ).toHaveLength(2);
    },
  );

  it("that never arrived is not reported as done", async () => {
    const { videos, id, first, standIn, advanceUntil } = await openDiscussed();
    await videos.comment({ guildId: HALL, videoId: id, by: GRACE }, "Here already");
    await videos.comment({ guildId: HALL, videoId: id, by: GRACE }, "Mine");
    const own = standIn.comments().at(-1)?.id ?? "";
    const drop = (path: string, method = "POST") => standIn.faults.add({ method, path, do: "drop" });
    drop(`/${id}/comments`);
    expect(await advanceUntil(videos.comment({ guildId: HALL, videoId: id, by: GRACE }, "Lovely"))).toBe(
      "unknown",
    );
    drop(`/${first}`);
    expect(
      await advanceUntil(videos.hideComment({ guildId: HALL, videoId: id, by: GRACE }, first, true)),
    ).toBe("unknown");
    drop(`/${first}`, "DELETE");
    expect(await advanceUntil(videos.deleteComment({ guildId: HALL, videoId: id, by: GRACE }, first))).toBe(
      "unknown",
    );
    drop(`/${own}`);
    expect(
      await advanceUntil(videos.editComment({ guildId: HALL, videoId: id, by: GRACE }, own, "Ours")),
    ).toBe("unknown");
  });
});
