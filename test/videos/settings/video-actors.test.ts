import { describe, expect, it } from "vitest";
import { UserError } from "../../../src/core/errors.ts";
import { createVideoActors } from "../../../src/videos/settings/video-rules.ts";
import type { NewAuditEntry } from "../../../src/videos/settings/audit-log.ts";

/** Creates the actors. `member` is the person in server g1 if they may use /video there. */
function create(member?: { readonly roleIds: readonly string[] }, mayManage = false) {
  const entries: NewAuditEntry[] = [];
  const actors = createVideoActors({
    messenger: { mayManage: async () => mayManage },
    rights: {
      findAllowedMember: async (guildId, userId, command) =>
        guildId === "g1" && userId === "7" && command === "video" ? member : undefined,
    },
    publications: { guildOfVideo: async (videoId) => (videoId === "900" ? "g1" : undefined) },
    rules: {
      async deny(entry, sentence) {
        entries.push({ ...entry, act: "denied" });
        throw new UserError(sentence);
      },
    },
  });
  const of = (guildId: string | undefined) =>
    actors.of("g1", { caller: { id: "7", roles: ["here"] }, where: { guildId } }, "publish a video");
  const ofVideo = (videoId: string, guildId: string | undefined) =>
    actors.ofVideo(videoId, { caller: { id: "7", roles: ["here"] }, where: { guildId } }, "look");
  const manager = (guildId: string | undefined) =>
    actors.manager({ caller: { id: "7", roles: ["here"] }, where: { guildId } }, "link an account");
  return { entries, of, ofVideo, manager };
}

describe("a person who presses a button", () => {
  it("is known in the server itself, with the roles from the interaction", async () => {
    const { entries, of } = create();
    expect(await of("g1")).toEqual({ userId: "7", roleIds: ["here"] });
    expect(entries).toEqual([]);
  });

  it("is refused in another server, with an audit entry", async () => {
    const { entries, of } = create({ roleIds: [] });
    await expect(of("g2")).rejects.toThrow(UserError);
    expect(entries).toEqual([{ guildId: "g1", actorId: "7", act: "denied", note: "publish a video" }]);
  });

  it("is looked up in direct messages, with their roles in the server", async () => {
    expect(await create({ roleIds: ["there"] }).of(undefined)).toEqual({
      userId: "7",
      roleIds: ["there"],
    });
  });

  it("is refused in direct messages if they may not use /video in the server, with an audit entry", async () => {
    const { entries, of } = create();
    await expect(of(undefined)).rejects.toThrow(UserError);
    expect(entries).toHaveLength(1);
  });
});

describe("a person who manages a video", () => {
  it("acts for the server in which they ask, whoever published the video", async () => {
    expect(await create().ofVideo("900", "g5")).toEqual({
      guildId: "g5",
      by: { userId: "7", roleIds: ["here"] },
    });
  });

  it("acts in direct messages for the server that published it, if they may use /video there", async () => {
    expect(await create({ roleIds: ["there"] }).ofVideo("900", undefined)).toEqual({
      guildId: "g1",
      by: { userId: "7", roleIds: ["there"] },
    });
    const { entries, ofVideo } = create();
    await expect(ofVideo("900", undefined)).rejects.toThrow(UserError);
    expect(entries).toMatchObject([{ guildId: "g1", act: "denied" }]);
    await expect(ofVideo("901", undefined)).rejects.toThrow(/belong to servers/);
  });
});

describe("a person who manages a server", () => {
  it("must have Manage Server, whoever else may use /video", async () => {
    const member = { roleIds: [] };
    expect(await create(member, true).manager("g1")).toEqual({
      guildId: "g1",
      by: { userId: "7", roleIds: ["here"] },
    });
    const { entries, manager } = create(member);
    await expect(manager("g1")).rejects.toThrow(/Manage Server/);
    expect(entries).toEqual([{ guildId: "g1", actorId: "7", act: "denied", note: "link an account" }]);
    await expect(manager(undefined)).rejects.toThrow(/belong to servers/);
  });
});
