import type { Scene, SceneRole } from "../../../control/chat/api.ts";
import type { Names } from "../text/plain-text.ts";
import { channelOf, openedGuild, personOf, roleOf, scene } from "./scene.ts";

export const NAMES: Names = {
  user: (id) => personOf(id)?.name,
  role: (id) => roleOf(id)?.name,
  channel: (id) => channelOf(id)?.name,
};

/** The number of `.tint-…` classes in the styles. */
const TINTS = 3;

export function tintOf(role: SceneRole | undefined): string {
  return role === undefined ? "" : `tint-${((role.position - 1) % TINTS) + 1}`;
}

export type Profile = ReturnType<typeof profileOf>;

/** `fallback` is the name of somebody who is not in the scene. Reads signals. */
export function profileOf(id: string, fallback = "Unknown") {
  const person = personOf(id);
  const guild = openedGuild.value;
  const own = rolesIn(guild, id);
  return {
    id,
    name: person?.name ?? fallback,
    isBot: person?.bot ?? id === scene.value?.botId,
    isOwner: guild?.ownerId === id,
    /** Highest first. */
    roles: own,
    tint: tintOf(own[0]),
  };
}

/** The rank of a person, e.g. `Moderator`: in the open guild, or in the first guild while direct messages are open. */
export function rankOf(id: string): string {
  const guild = openedGuild.value ?? scene.value?.guilds[0];
  return guild?.ownerId === id ? "Owner" : (rolesIn(guild, id)[0]?.name ?? "Member");
}

/** Highest first. */
function rolesIn(guild: Scene["guilds"][number] | undefined, id: string): readonly SceneRole[] {
  const roleIds = guild?.members.find(({ userId }) => userId === id)?.roleIds ?? [];
  return roleIds.flatMap((roleId) => roleOf(roleId) ?? []).toSorted((a, b) => b.position - a.position);
}
