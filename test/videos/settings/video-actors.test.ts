import { describe, expect, it } from "vitest";
import { UserError } from "../../../src/core/errors.ts";
import { createVideoActors } from "../../../src/videos/settings/video-actors.ts";
import type { NewAuditEntry } from "../../../src/videos/settings/audit-log.ts";

/** `member`: the person in server g1, where they may use /video there. */
function create(member?: { readonly roleIds: readonly string[] }, mayManage = false) {
  const acts: NewAuditEntry[] = [];
  const actors = createVideoActors({
    messenger: { mayManage: async () => mayManage },
    rights: {
      findAllowedMember: async (guildId, userId, command) =>
        guildId === "g1" && userId === "7" && command === "video" ? member : undefined,
    },
    publications: { guildOfVideo: async (videoId) => (videoId === "900" ? "g1" : undefined) },
    rules: {
      async deny(entry, sentence) {
        acts.push({ ...entry, act: "denied" });
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
  return { acts, of, ofVideo, manager };
}

describe("who presses", () => {
  it("is known in the server itself, with the roles that Discord tells", async () => {
    const { acts, of } = create();
    expect(await of("g1")).toEqual({ userId: "7", roleIds: ["here"] });
    expect(acts).toEqual([]);
  });

  it("is refused from another server, and written down", async () => {
    const { acts, of } = create({ roleIds: [] });
    await expect(of("g2")).rejects.toThrow(UserError);
    expect(acts).toEqual([{ guildId: "g1", actorId: "7", act: "denied", note: "publish a video" }]);
  });

  it("is looked up in a conversation, with the roles that they have there", async () => {
    expect(await create({ roleIds: ["there"] }).of(undefined)).toEqual({
      userId: "7",
      roleIds: ["there"],
    });
  });

  it("is refused in a conversation when they may not use /video there, and written down", async () => {
    const { acts, of } = create();
    await expect(of(undefined)).rejects.toThrow(UserError);
    expect(acts).toHaveLength(1);
  });
});

describe("who looks after a video", () => {
  it("does so in the server where they ask, whoever published it", async () => {
    expect(await create().ofVideo("900", "g5")).toEqual({
      guildId: "g5",
      by: { userId: "7", roleIds: ["here"] },
    });
  });

  it("does so in a conversation for the server that published it, if they may use /video there", async () => {
    expect(await create({ roleIds: ["there"] }).ofVideo("900", undefined)).toEqual({
      guildId: "g1",
      by: { userId: "7", roleIds: ["there"] },
    });
    const { acts, ofVideo } = create();
    await expect(ofVideo("900", undefined)).rejects.toThrow(UserError);
    expect(acts).toMatchObject([{ guildId: "g1", act: "denied" }]);
    await expect(ofVideo("901", undefined)).rejects.toThrow(/belong to servers/);
  });
});

describe("who manages a server", () => {
  it("is asked of Discord, whoever else /video was opened to", async () => {
    const member = { roleIds: [] };
    expect(await create(member, true).manager("g1")).toEqual({
      guildId: "g1",
      by: { userId: "7", roleIds: ["here"] },
    });
    const { acts, manager } = create(member);
    await expect(manager("g1")).rejects.toThrow(/Manage Server/);
    expect(acts).toEqual([{ guildId: "g1", actorId: "7", act: "denied", note: "link an account" }]);
    await expect(manager(undefined)).rejects.toThrow(/belong to servers/);
  });
});
