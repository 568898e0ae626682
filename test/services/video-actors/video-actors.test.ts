import { describe, expect, it } from "vitest";
import { UserError } from "../../../src/core/errors.ts";
import type { GuildMember } from "../../../src/services/ports.ts";
import { createVideoActors } from "../../../src/services/video-actors/video-actors.ts";
import type { ActToWrite } from "../../../src/services/video-settings/video-settings.ts";

function create(member?: GuildMember) {
  const acts: ActToWrite[] = [];
  const actors = createVideoActors({
    messenger: { member: async () => member },
    rules: { write: async (act) => void acts.push(act) },
  });
  const of = (guildId: string | undefined) =>
    actors.of("g1", { caller: { id: "7", roles: ["here"] }, where: { guildId } }, "publish a video");
  return { acts, of };
}

describe("who presses", () => {
  it("is known in the server itself, with the roles that Discord tells", async () => {
    const { acts, of } = create();
    expect(await of("g1")).toEqual({ userId: "7", roleIds: ["here"] });
    expect(acts).toEqual([]);
  });

  it("is refused from another server, and written down", async () => {
    const { acts, of } = create({ roleIds: [], mayManage: true });
    await expect(of("g2")).rejects.toThrow(UserError);
    expect(acts).toEqual([{ guildId: "g1", actorId: "7", act: "denied", note: "publish a video" }]);
  });

  it("is looked up in a conversation, with the roles that they have there", async () => {
    expect(await create({ roleIds: ["there"], mayManage: true }).of(undefined)).toEqual({
      userId: "7",
      roleIds: ["there"],
    });
  });

  it.each([
    ["does not manage the server", { roleIds: ["there"], mayManage: false }],
    ["is not in it", undefined],
  ])("is refused in a conversation when they %s, and written down", async (_, member) => {
    const { acts, of } = create(member);
    await expect(of(undefined)).rejects.toThrow(UserError);
    expect(acts).toHaveLength(1);
  });
});
