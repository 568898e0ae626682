// The commands that manage videos, with the real service.
import { describe, expect, it } from "vitest";
import comment from "../../../commands/video/comment.ts";
import comments from "../../../commands/video/comments.ts";
import remove from "../../../commands/video/delete.ts";
import edit from "../../../commands/video/edit.ts";
import list from "../../../commands/video/list.ts";
import show from "../../../commands/video/show.ts";
import stats from "../../../commands/video/stats.ts";
import type { ChartModel } from "../../../src/render/chart-picture.ts";
import { publicationRecord } from "../../videos/video-rows.ts";
import { GRACE, HALL, openManagedVideos } from "../../support/managed-videos.ts";

async function world() {
  const at = await openManagedVideos();
  const drawn: ChartModel[] = [];
  const pictures = {
    board: async () => Uint8Array.of(0),
    journey: async () => Uint8Array.of(0),
    chart: async (model: ChartModel) => {
      drawn.push(model);
      return Uint8Array.of(1);
    },
  };
  const context = {
    caller: { id: GRACE.userId, roles: GRACE.roleIds },
    usableCommands: async () => new Set<string>(),
    fileLimitBytes: 10_485_760,
    where: { guildId: HALL, channelId: "11" },
    progress: () => {},
    services: { videos: at.videos, videoActors: at.actors, pictures },
  };
  const { id } = await at.publish();
  return { ...at, id, drawn, context };
}

const message = { id: "1", channelId: "11", content: "", attachments: [], media: [] };
const textOf = (reply: unknown) => JSON.stringify(reply);
const here = (videoId: string) => ({ videoId, replacesMessage: true });
const formArgs = (videoId: string) => ({ ...here(videoId), seen: undefined });
const noChanges = { title: undefined, description: undefined, publish_at: undefined };

describe("/video list and show", () => {
  it("list the server's videos, open one, and suggest them by name", async () => {
    const { id, context } = await world();
    const reply = await list.run({ ...context, options: {} });
    expect(reply).toMatchObject({ visibility: "private" });
    expect(textOf(reply)).toContain("Opening day");
    const opened = await list.selects?.["open"]?.run({ ...context, args: {}, message, chosen: [id] });
    expect(textOf(opened)).toContain("0 views");
    expect(textOf(await show.run({ ...context, options: { video: id } }))).toContain("Opening day");
    const { where, services } = context;
    const asked = { text: "open", typed: {}, where, recent: [], services };
    expect(await show.options?.video.autocomplete(asked)).toEqual([
      { name: "Opening day (18 Nov 2026)", value: id },
    ]);
  });

  it("find a video by its title, and do not log a mistyped title as a denied attempt", async () => {
    const { publish, context, entriesOf } = await world();
    const named = (video: string) => show.run({ ...context, options: { video } });
    expect(textOf(await named("OPENING day "))).toContain("Opening day");
    await expect(named("Closing day")).rejects.toThrow("This server has no video by that name.");
    await publish();
    await expect(named("opening")).rejects.toThrow("This server has several videos by that name.");
    for (const mistyped of ["2024", "🎉"]) {
      await expect(named(mistyped)).rejects.toThrow("This server has no video by that name.");
    }
    expect(await entriesOf(HALL)).toEqual([]);
  });

  it("list publications that are not out yet, because their messages may be deleted", async () => {
    const { context, publications } = await world();
    await publications.add(
      publicationRecord({ id: "waiting1", state: "awaiting-approval", title: "Next day" }),
    );
    await publications.add(publicationRecord({ id: "other1", guildId: "2", state: "uploading" }));
    await publications.add(publicationRecord({ id: "draft1", state: "draft" }));
    const reply = textOf(await list.run({ ...context, options: {} }));
    expect(reply).toContain("Next day is waiting for approval.");
    expect(reply).toContain('"value":"waiting1"');
    expect(reply).not.toMatch(/other1|draft1/);
    expect(
      textOf(await list.buttons?.page.run({ ...context, args: { after: "b1" }, message })),
    ).not.toContain("Next day");
  });

  it("work only in servers", async () => {
    const { context } = await world();
    const where = { guildId: undefined, channelId: "99" };
    await expect(list.run({ ...context, where, options: {} })).rejects.toThrow(/belong to servers/);
  });

  it("manage a video from its message in a DM, for people who manage its server", async () => {
    const { id, context, members, entriesOf, standIn } = await world();
    const conversation = { ...context, where: { guildId: undefined, channelId: "99" } };
    const open = async () => textOf(await show.run({ ...conversation, options: { video: id } }));
    await expect(open()).rejects.toThrow(/people who can use `\/video`/);
    expect(await entriesOf(HALL)).toMatchObject([{ act: "denied", actorId: GRACE.userId }]);
    members.set(GRACE.userId, { roleIds: [] });
    expect(await open()).toContain("Opening day");
    const fields = { title: ["Second day"], description: ["More steam"] };
    await edit.modals?.change.run({ ...conversation, args: formArgs(id), fields, files: {} });
    expect(standIn.videos()).toMatchObject([{ title: "Second day" }]);
    const other = show.run({ ...conversation, options: { video: "77" } });
    await expect(other).rejects.toThrow(/belong to servers/);
  });

  it("replace only a person's own message", async () => {
    const { id, context } = await world();
    const place = show.buttons?.open.answers;
    const { caller } = context;
    const placeOf = (replacesMessage: boolean) =>
      typeof place === "function" && place({ args: { ...here(id), replacesMessage }, caller });
    expect(placeOf(false)).toBe("private");
    expect(placeOf(true)).toBe("update");
  });
});

describe("/video edit", () => {
  it("changes the named options, or opens the form without any", async () => {
    const { id, context, standIn } = await world();
    const changed = await edit.run({ ...context, options: { video: id, ...noChanges, title: "Second day" } });
    expect(textOf(changed)).toMatch(/Changed.*Second day.*"label":"Details"/);
    const form = await edit.run({ ...context, options: { video: id, ...noChanges } });
    expect(form).toMatchObject({ type: "modal", target: { action: "change", args: { v: id } } });
    const fields = { title: ["Third day"], description: ["More steam"] };
    await edit.modals?.change.run({ ...context, args: formArgs(id), fields, files: {} });
    expect(standIn.videos()).toMatchObject([{ title: "Third day", description: "More steam" }]);
    const emptied = { ...context, args: formArgs(id), fields: { title: [], description: ["x"] }, files: {} };
    await expect(edit.modals?.change.run(emptied)).rejects.toThrow(/can't make a title empty/);
  });

  it("says if it is unknown whether the video was changed", async () => {
    const { id, context, standIn, advanceUntil } = await world();
    standIn.faults.add({ method: "POST", path: `/${id}`, do: "drop" });
    const asked = edit.run({ ...context, options: { video: id, ...noChanges, title: "Second day" } });
    expect(textOf(await advanceUntil(Promise.resolve(asked)))).toMatch(/never said whether.*Look again/);
  });
});

describe("/video delete", () => {
  it("asks twice before it deletes", async () => {
    const { id, context, standIn } = await world();
    const question = textOf(await remove.run({ ...context, options: { video: id } }));
    expect(question).toMatch(/Delete this video/);
    // The video has no views or comments that could be lost.
    expect(question).not.toMatch(/\b0 (?:views|comments)/);
    const press = { ...context, args: here(id), message };
    expect(textOf(await remove.buttons?.sure.run(press))).toMatch(/for good/);
    expect(standIn.videos()).toHaveLength(1);
    expect(textOf(await remove.buttons?.delete.run(press))).toMatch(/I've deleted/);
    expect(standIn.videos()).toEqual([]);
    await expect(remove.buttons?.delete.run(press)).rejects.toThrow(/was deleted/);
  });

  it("says if it is unknown whether the video was deleted", async () => {
    const { id, context, standIn, advanceUntil } = await world();
    standIn.faults.add({ method: "DELETE", path: `/${id}`, do: "drop" });
    const pressing = remove.buttons?.delete.run({ ...context, args: here(id), message });
    expect(textOf(await advanceUntil(Promise.resolve(pressing)))).toMatch(
      /never said whether the video was deleted\. As far as I can see, that hasn't happened yet/,
    );
  });

  it("removes a video that was deleted at the service from the list", async () => {
    const { id, account, client, context } = await world();
    await client.delete(account, id);
    const listed = async () => textOf(await list.run({ ...context, options: {} }));
    expect(await listed()).toContain("gone, or no longer visible");
    const question = textOf(await remove.run({ ...context, options: { video: id } }));
    expect(question).toContain("off this server's list");
    const removed = await remove.buttons?.remove.run({ ...context, args: here(id), message });
    expect(textOf(removed)).toContain("nothing left for me to delete");
    expect(await listed()).not.toContain("Opening day");
  });

  it("does not delete a video that was only to be removed from the list if it is visible again", async () => {
    const { id, context, standIn } = await world();
    const removing = remove.buttons?.remove.run({ ...context, args: here(id), message });
    await expect(removing).rejects.toThrow(/shows that video again/);
    expect(standIn.videos()).toHaveLength(1);
    expect(textOf(await list.run({ ...context, options: {} }))).toContain("Opening day");
  });
});

describe("/video comments", () => {
  it("lists, replies to, hides, shows and deletes comments", async () => {
    const { id, context, standIn } = await world();
    const commentId = standIn.say(id, "Lovely", "Alan");
    expect(textOf(await comments.run({ ...context, options: { video: id } }))).toMatch(/Alan.*Lovely/);
    const picked = await comments.selects?.pick.run({
      ...context,
      args: here(id),
      message,
      chosen: [commentId],
    });
    expect(textOf(picked)).toMatch(/Reply.*Hide.*Delete/);
    const press = { ...context, args: { videoId: id, commentId }, message };
    expect(textOf(await comment.buttons?.hide.run(press))).toMatch(/Hidden.*Show again/);
    expect(textOf(await comment.buttons?.unhide.run(press))).toMatch(/can see it again/);
    const typed = { ...press, fields: { message: ["Thank you"] }, files: {} };
    expect(textOf(await comment.modals?.reply.run(typed))).toMatch(/Replied.*1 reply/);
    expect(textOf(await comments.modals?.comment.run({ ...typed, args: here(id) }))).toMatch(/Thank you/);
    expect(textOf(await comment.buttons?.ask.run(press))).toMatch(/replies will be deleted too/);
    expect(textOf(await comment.buttons?.delete.run(press))).toMatch(/I've deleted/);
    expect(standIn.comments().map(({ message: said }) => said)).toEqual(["Thank you"]);
  });

  it("edits the account's own comment in a form that contains it", async () => {
    const { id, context, standIn, videos } = await world();
    await videos.comment({ guildId: HALL, videoId: id, by: GRACE }, "Helo");
    const commentId = standIn.comments()[0]?.id ?? "";
    const press = { ...context, args: { videoId: id, commentId }, message };
    expect(await comment.buttons?.edit.run(press)).toMatchObject({ fields: [{ value: "Helo" }] });
    const changed = await comment.modals?.edit.run({ ...press, fields: { message: ["Hello"] }, files: {} });
    expect(textOf(changed)).toMatch(/Changed.*Hello/);
  });
});

describe("/video stats", () => {
  it("draws charts for everybody, but replies to a press privately", async () => {
    const { id, context, clock, drawn, videos } = await world();
    await videos.stats({ guildId: HALL, videoId: id, by: GRACE });
    await clock.advance(3_600_000);
    const reply = await stats.run({ ...context, options: { video: id } });
    expect(reply).toMatchObject({ visibility: "public", files: [{ name: "views.png" }, {}] });
    expect(drawn.map(({ axis }) => axis.kind)).toEqual(["time", "share"]);
    const pressed = await stats.buttons?.open.run({ ...context, args: here(id), message });
    expect(pressed).toMatchObject({ visibility: "private" });
  });
});
