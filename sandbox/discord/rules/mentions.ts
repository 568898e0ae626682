// Determines whom a message pings, from its text, its author's permissions and `allowed_mentions`.
import { COMPONENT_TYPES } from "../component-types.ts";
import type { Channel } from "../entities.ts";
import { isAllowed } from "../permissions.ts";
import type { Platform } from "../platform.ts";
import { walkComponents } from "../serialise/message.ts";
import { guildAround } from "../state.ts";
import type { MessageForm } from "../validate/message.ts";

export interface Pings {
  readonly userIds: readonly string[];
  readonly roleIds: readonly string[];
  readonly everyone: boolean;
}

export interface PingPlace {
  readonly channel: Channel;
  readonly authorId: string;
  /** By default, answers to interactions ping only users; messages in channels ping everyone they mention. */
  readonly isWebhook: boolean;
  readonly repliedUserId?: string | undefined;
}

/** Text displays ping too. An edit without `allowed_mentions` does not inherit them: the default applies again. */
export function findPings(platform: Platform, place: PingPlace, form: MessageForm): Pings {
  const texts = [...walkComponents(form.components ?? [])]
    .filter(({ type }) => type === COMPONENT_TYPES.textDisplay)
    .map((component) => String(component["content"]));
  const text = [form.content ?? "", ...texts].join("\n");
  if (!text.includes("@") && place.repliedUserId === undefined) {
    return { userIds: [], roleIds: [], everyone: false };
  }
  const { state } = platform;
  const guild = guildAround(state, place.channel);
  const allowed = form.allowed_mentions ?? undefined;
  const allowsAll = (kind: "users" | "roles" | "everyone") =>
    allowed === undefined ? !place.isWebhook || kind === "users" : (allowed.parse ?? []).includes(kind);
  const users = idsIn(text, /<@!?(\d+)>/g)
    .filter((id) => state.users.has(id))
    .filter((id) => allowsAll("users") || allowed?.users?.includes(id));
  const isReplyPinged = allowed === undefined || allowed.replied_user === true;
  const replied = place.repliedUserId !== undefined && isReplyPinged ? [place.repliedUserId] : [];
  const mayPingAll = isAllowed(state, place.channel, place.authorId, "MentionEveryone");
  // No role here is mentionable by everyone, so roles need the permission too.
  const roles = idsIn(text, /<@&(\d+)>/g)
    .filter((id) => mayPingAll && guild?.roles.has(id))
    .filter((id) => allowsAll("roles") || allowed?.roles?.includes(id));
  return {
    userIds: [...new Set([...users, ...replied])],
    roleIds: roles,
    everyone: mayPingAll && allowsAll("everyone") && /@(everyone|here)\b/.test(text),
  };
}

function idsIn(text: string, pattern: RegExp): string[] {
  return [...new Set([...text.matchAll(pattern)].map(([, id = ""]) => id))];
}
