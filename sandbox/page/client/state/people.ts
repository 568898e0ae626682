// How somebody is shown in the open guild.
import type { SceneRole } from "../../../control/chat/api.ts";
import type { Names } from "../text/plain-words.ts";
import { channelOf, openedGuild, personOf, roleOf, scene } from "./scene.ts";

/** What the scene calls them. Reads signals. */
export const NAMES: Names = {
  user: (id) => personOf(id)?.name,
  role: (id) => roleOf(id)?.name,
  channel: (id) => channelOf(id)?.name,
};

/** How many colours there are for roles. */
const TINTS = 3;

/** A class for a role's colour. */
export function tintOf(role: SceneRole | undefined): string {
  return role === undefined ? "" : `tint-${((role.position - 1) % TINTS) + 1}`;
}

/** A person as the open guild knows them. */
export type Look = ReturnType<typeof lookOf>;

/** `fallback` names somebody whom nobody knows any more. Reads signals. */
export function lookOf(id: string, fallback = "Unknown", guild = openedGuild.value) {
  const person = personOf(id);
  const roleIds = guild?.members.find(({ userId }) => userId === id)?.roleIds ?? [];
  const own = roleIds.flatMap((roleId) => roleOf(roleId) ?? []).toSorted((a, b) => b.position - a.position);
  return {
    id,
    name: person?.name ?? fallback,
    isBot: person?.bot ?? id === scene.value?.botId,
    isOwner: guild?.ownerId === id,
    /** Highest first. */
    roles: own,
    /** A class for the colour of their name. */
    tint: tintOf(own[0]),
  };
}

/** E.g. `Moderator`: in the open guild, or in the first one while direct messages are open. */
export function rankOf(id: string): string {
  const { isOwner, roles: own } = lookOf(id, undefined, openedGuild.value ?? scene.value?.guilds[0]);
  return isOwner ? "Owner" : (own[0]?.name ?? "Member");
}
