import { describe, expect, it, vi } from "vitest";
import { UserError } from "../../src/core/errors.ts";
import { hashTexts } from "../../src/videos/video-words.ts";
import { GARDEN, GRACE, HALL, openManagedVideos } from "../support/managed-videos.ts";

const WRITES = ["drop-after", "500-after", "truncated", "html"] as const;
const UNDONE = ["drop", "transient"] as const;

describe("an edit", () => {
  it("changes the texts at the service and in the publication, and adds an audit entry", async () => {
    const { videos, publish, publications, standIn, entriesOf, clock, nudges } = await openManagedVideos();
    const { id, row } = await publish();
    expect(
      await videos.edit(
        { guildId: HALL, videoId: id, by: GRACE },
        { title: " Second day ", description: "More steam" },
      ),
    ).toBe("done");
    expect(standIn.videos()).toMatchObject([{ title: "Second day", description: "More steam" }]);
    expect(await publications.get(row.id)).toMatchObject({
      title: "Second day",
      description: "More steam",
      state: "published",
      nextAtMs: clock.now(),
    });
    expect(nudges).toHaveLength(1);
    expect(await entriesOf(HALL)).toEqual([{ act: "edited", actorId: "7", videoId: id, note: "Second day" }]);
  });

  it("removes direction marks, which could make a text look different from what it says", async () => {
    const { videos, publish, standIn } = await openManagedVideos();
    const { id } = await publish();
    const asked = { guildId: HALL, videoId: id, by: GRACE };
    await videos.edit(asked, { title: "Free\u202e \u2067day", description: "\u2066More\u2069\u202c steam" });
    expect(standIn.videos()).toMatchObject([{ title: "Free day", description: "More steam" }]);
    await expect(videos.edit(asked, { title: "\u202e" })).rejects.toThrow(/can't make a title empty/);
  });

  it("does not overwrite what somebody else changed after the form was opened", async () => {
    const { videos, publish, standIn } = await openManagedVideos();
    const { id } = await publish();
    const asked = { guildId: HALL, videoId: id, by: GRACE };
    const opened = hashTexts(await videos.readToEdit(asked));
    await videos.edit(asked, { title: "Second day", description: "" }, opened);
    await expect(
      videos.edit(asked, { title: "Opening day", description: "More steam" }, opened),
    ).rejects.toThrow("This has changed since the version your form shows");
    expect(standIn.videos()).toMatchObject([{ title: "Second day" }]);
    // If the form is opened again, it shows the current texts.
    const again = hashTexts(await videos.readToEdit(asked));
    await videos.edit(asked, { title: "Second day", description: "More steam" }, again);
    expect(standIn.videos()).toMatchObject([{ title: "Second day", description: "More steam" }]);
  });

  it("moves a scheduled publication, in the server's time zone", async () => {
    const { videos, publish, publications, rules, clock, client, account } = await openManagedVideos();
    const publishAtMs = clock.now() + 3 * 3_600_000;
    const { id, row } = await publish({ publishAtMs });
    await rules.change(HALL, { timeZone: "New York" }, GRACE);
    await videos.edit({ guildId: HALL, videoId: id, by: GRACE }, { publishAt: "tomorrow 18:00" });
    const wanted = Date.parse("2026-11-19T18:00:00-05:00");
    expect(await client.read(account, id)).toMatchObject({ publishAtMs: wanted });
    expect(await publications.get(row.id)).toMatchObject({ publishAtMs: wanted, state: "scheduled" });
  });

  it.each([
    [{ publishAt: "tomorrow 18:00" }, /isn't scheduled/],
    [{ title: "  " }, /can't make a title empty/],
    [{ title: "x".repeat(300) }, /300 characters/],
    [{ title: "Opening day" }, /like that already/],
    [{ title: " Opening  day", description: "" }, /like that already/],
    [{}, /like that already/],
  ])("is refused with a sentence for %o", async (edit, sentence) => {
    const { videos, publish, standIn } = await openManagedVideos();
    const { id } = await publish();
    await expect(videos.edit({ guildId: HALL, videoId: id, by: GRACE }, edit)).rejects.toThrow(UserError);
    await expect(videos.edit({ guildId: HALL, videoId: id, by: GRACE }, edit)).rejects.toThrow(sentence);
    expect(standIn.ledger.filter(({ path, method }) => method === "POST" && path === `/${id}`)).toEqual([]);
  });

  it.each(WRITES)("whose answer is lost (%s) is reconciled, and sent once", async (kind) => {
    const { videos, publish, standIn, advanceUntil } = await openManagedVideos();
    const { id } = await publish();
    standIn.faults.add({ method: "POST", path: `/${id}`, do: kind });
    expect(
      await advanceUntil(videos.edit({ guildId: HALL, videoId: id, by: GRACE }, { title: "Second day" })),
    ).toBe(kind === "html" ? "unknown" : "done");
    expect(standIn.ledger.filter(({ path, method }) => method === "POST" && path === `/${id}`)).toHaveLength(
      1,
    );
  });

  it.each(UNDONE)("that never arrived (%s) is not reported as done, or sent again", async (kind) => {
    const { videos, publish, publications, standIn, advanceUntil, entriesOf } = await openManagedVideos();
    const { id, row } = await publish();
    standIn.faults.add({ method: "POST", path: `/${id}`, do: kind });
    expect(
      await advanceUntil(videos.edit({ guildId: HALL, videoId: id, by: GRACE }, { title: "Second day" })),
    ).toBe("unknown");
    expect((await publications.get(row.id))?.title).toBe("Opening day");
    expect(standIn.videos()).toMatchObject([{ title: "Opening day" }]);
    expect(await entriesOf(HALL)).toMatchObject([
      { act: "edited", note: expect.stringContaining("never said") },
    ]);
  });

  it("is reported as done even if the service applies it late", async () => {
    const { videos, publish, standIn, advanceUntil, client, account } = await openManagedVideos();
    const { id } = await publish();
    standIn.faults.add({ method: "POST", path: `/${id}`, do: "drop" });
    const editing = videos.edit({ guildId: HALL, videoId: id, by: GRACE }, { title: "Second day" });
    const isEdit = { method: "POST", path: `/${id}` };
    await vi.waitFor(() => expect(standIn.ledger).toContainEqual(expect.objectContaining(isEdit)));
    await client.update(account, id, { title: "Second day" });
    expect(await advanceUntil(editing)).toBe("done");
  });

  it("is only for publishers if the server has set a role", async () => {
    const { videos, publish, rules, standIn, entriesOf } = await openManagedVideos();
    const { id } = await publish();
    await rules.change(HALL, { publisherRoleId: "99" }, GRACE);
    await expect(videos.edit({ guildId: HALL, videoId: id, by: GRACE }, { title: "x" })).rejects.toThrow(
      /<@&99>/,
    );
    await expect(videos.delete({ guildId: HALL, videoId: id, by: GRACE })).rejects.toThrow(/<@&99>/);
    expect((await videos.show({ guildId: HALL, videoId: id, by: GRACE })).title).toBe("Opening day");
    expect(standIn.videos()).toHaveLength(1);
    expect((await entriesOf(HALL)).filter(({ act }) => act === "denied")).toHaveLength(2);
    expect(
      await videos.edit({ guildId: HALL, videoId: id, by: { userId: "8", roleIds: ["99"] } }, { title: "x" }),
    ).toBe("done");
  });
});

describe("an edit of a video that isn't out yet and needs approval", () => {
  const APPROVER = { userId: "8", roleIds: ["99"] };
  async function scheduled() {
    const world = await openManagedVideos();
    const { clock, publish, rules } = world;
    await rules.change(HALL, { approvalChannelId: "1002", approverRoleId: "99" }, APPROVER);
    const publishAtMs = clock.now() + 3 * 3_600_000;
    return { ...world, publishAtMs, ...(await publish({ publishAtMs, submittedBy: GRACE.userId })) };
  }

  it("is refused to the submitter and to people who may not approve, with what to do", async () => {
    const { videos, id, standIn, entriesOf } = await scheduled();
    const submitter = { ...GRACE, roleIds: ["99"] };
    for (const by of [submitter, { userId: "9", roleIds: [] }]) {
      await expect(videos.edit({ guildId: HALL, videoId: id, by }, { title: "Another" })).rejects.toThrow(
        /isn't out yet.*<@&99>/,
      );
      await expect(
        videos.edit({ guildId: HALL, videoId: id, by }, { publishAt: "tomorrow 18:00" }),
      ).rejects.toThrow(UserError);
      await expect(videos.readToEdit({ guildId: HALL, videoId: id, by })).rejects.toThrow(/`\/video delete`/);
    }
    expect(standIn.videos()).toMatchObject([{ title: "Opening day" }]);
    expect((await entriesOf(HALL)).filter(({ act }) => act === "denied")).toHaveLength(6);
  });

  it("is allowed to others who may approve, and to everybody once the video is out", async () => {
    const { videos, id, clock, publishAtMs } = await scheduled();
    expect(await videos.edit({ guildId: HALL, videoId: id, by: APPROVER }, { title: "Another" })).toBe(
      "done",
    );
    await clock.advance(publishAtMs + 60_000 - clock.now());
    expect(await videos.edit({ guildId: HALL, videoId: id, by: GRACE }, { title: "My own" })).toBe("done");
  });

  it("is refused to everybody if the submitter is no longer known", async () => {
    const { videos, publish, publishAtMs } = await scheduled();
    const { id } = await publish({ publishAtMs, submittedBy: undefined });
    await expect(
      videos.edit({ guildId: HALL, videoId: id, by: APPROVER }, { title: "Another" }),
    ).rejects.toThrow(/isn't out yet/);
  });
});

describe("a deletion", () => {
  it("removes the video and its samples, and ends its publication", async () => {
    const { videos, publish, publications, records, standIn, entriesOf, clock } = await openManagedVideos();
    const { id, row } = await publish();
    await videos.stats({ guildId: HALL, videoId: id, by: GRACE });
    expect(await records.samples(HALL, id)).toHaveLength(1);
    expect(await videos.delete({ guildId: HALL, videoId: id, by: GRACE })).toBe("done");
    expect(standIn.videos()).toEqual([]);
    expect(await publications.get(row.id)).toMatchObject({
      state: "deleted",
      stateAtMs: clock.now(),
      nextAtMs: clock.now(),
    });
    expect(await records.samples(HALL, id)).toEqual([]);
    expect(await entriesOf(HALL)).toMatchObject([{ act: "deleted", actorId: "7", videoId: id }]);
    await expect(videos.delete({ guildId: HALL, videoId: id, by: GRACE })).rejects.toThrow(/was deleted/);
  });

  it("of a video that came out after the bot had stopped checking ends its publication too", async () => {
    const { videos, publish, publications, standIn } = await openManagedVideos();
    const { id, row } = await publish({
      state: "failed",
      problem: JSON.stringify({ of: "video", kind: "timeout" }),
    });
    expect(await videos.delete({ guildId: HALL, videoId: id, by: GRACE })).toBe("done");
    expect(standIn.videos()).toEqual([]);
    expect(await publications.get(row.id)).toMatchObject({ state: "deleted", problem: undefined });
  });

  it("of a video that the service couldn't process leaves its publication ready to be sent again", async () => {
    const { videos, publish, publications, standIn } = await openManagedVideos();
    const problem = JSON.stringify({ of: "video", kind: "rejected" });
    const { id, row } = await publish({
      state: "failed",
      problem,
      fileUrl: "https://cdn.example/opening.mp4",
    });
    expect(await videos.delete({ guildId: HALL, videoId: id, by: GRACE })).toBe("done");
    expect(standIn.videos()).toEqual([]);
    const { state, fileUrl } = row;
    expect(await publications.get(row.id)).toMatchObject({ state, problem, fileUrl });
  });

  it("of a video that is already gone or hidden is reported as gone", async () => {
    const { videos, publish, publications, client, account, entriesOf } = await openManagedVideos();
    const { id, row } = await publish();
    await client.delete(account, id);
    expect(await videos.delete({ guildId: HALL, videoId: id, by: GRACE })).toBe("gone");
    const { state, problem } = (await publications.get(row.id)) ?? {};
    expect(state).toBe("deleted");
    expect(problem).toContain("not-found");
    expect(await entriesOf(HALL)).toMatchObject([
      { act: "deleted", note: expect.stringContaining("no longer") },
    ]);
  });

  it.each([
    [{ description: "Meanwhile" }, { state: "deleted", description: "Meanwhile", fileUrl: undefined }],
    [{ state: "failed" }, { state: "deleted" }],
    // Nothing of it was published, and its file is kept in case the server comes back.
    [{ state: "cancelled" }, { state: "cancelled" }],
  ] as const)("handles a publication that changes meanwhile: %j", async (meanwhile, expected) => {
    const { videos, publish, publications } = await openManagedVideos();
    const { id, row } = await publish();
    const get = publications.get.bind(publications);
    let isFirst = true;
    Object.assign(publications, {
      get: async (publicationId: string) => {
        const seen = await get(publicationId);
        if (isFirst && seen) {
          isFirst = false;
          await publications.change(seen, meanwhile);
        }
        return seen;
      },
    });
    await videos.delete({ guildId: HALL, videoId: id, by: GRACE });
    expect(await get(row.id)).toMatchObject(expected);
  });

  it.each(["drop-after", "500-after", "truncated"] as const)(
    "without an answer (%s) is reconciled",
    async (kind) => {
      const { videos, upload, standIn, advanceUntil } = await openManagedVideos();
      const id = await upload(standIn.tokens.secondPage);
      standIn.faults.add({ method: "DELETE", path: `/${id}`, do: kind });
      expect(await advanceUntil(videos.delete({ guildId: GARDEN, videoId: id, by: GRACE }))).toBe("done");
      expect(standIn.ledger.filter(({ method }) => method === "DELETE")).toHaveLength(1);
    },
  );

  it.each(UNDONE)("that never arrived (%s) is not reported as done", async (kind) => {
    const { videos, publish, publications, standIn, advanceUntil } = await openManagedVideos();
    const { id, row } = await publish();
    standIn.faults.add({ method: "DELETE", path: `/${id}`, do: kind });
    expect(await advanceUntil(videos.delete({ guildId: HALL, videoId: id, by: GRACE }))).toBe("unknown");
    expect((await publications.get(row.id))?.state).toBe("published");
    expect(standIn.videos()).toHaveLength(1);
  });
});
