// REQUEST_GUILD_MEMBERS: a client asks for members of a guild and gets GUILD_MEMBERS_CHUNK.
// https://discord.com/developers/docs/events/gateway-events#request-guild-members
import { z } from "zod";
import type { Guild } from "../entities.ts";
import type { Platform } from "../platform.ts";
import { formatMember } from "../serialise/people.ts";
import { shardOf } from "../snowflake.ts";
import { INTENTS } from "./intents.ts";
import { CLOSE } from "./payloads.ts";
import type { Session } from "./session.ts";

const ids = z.union([z.string(), z.array(z.string()).max(100)]);

const request = z.union([
  z.object({ guild_id: z.string(), user_ids: ids }),
  z.object({ guild_id: z.string(), query: z.string(), limit: z.int().min(0) }),
]);

const more = z.object({ presences: z.boolean().nullish(), nonce: z.string().max(32).nullish() });

const CHUNK_SIZE = 1000;
/** The most members that a query with a name returns. */
const MOST_FOUND = 100;

/**
 * Sends the members. Returns the code to close the socket with: for a wrong form, a guild outside the session, or a
 * request whose intent the session lacks. Discord leaves some of these unanswered, and a client waits for minutes;
 * here they fail loudly.
 */
export function tellMembers(
  platform: Platform,
  session: Session,
  d: unknown,
): readonly [code: number, reason: string] | undefined {
  const form = request.safeParse(d);
  const extra = more.safeParse(d);
  if (!form.success || !extra.success) {
    return CLOSE.decodeError;
  }
  const guild = platform.state.guilds.get(form.data.guild_id);
  const { application } = platform.state;
  if (
    guild?.members.has(application.id) !== true ||
    shardOf(guild.id, session.shard.count) !== session.shard.id
  ) {
    return [CLOSE.decodeError[0], `The bot is in no guild ${form.data.guild_id} of this shard.`];
  }
  const asksForAll = "query" in form.data && form.data.query === "" && form.data.limit === 0;
  const needed =
    (asksForAll ? INTENTS.guildMembers : 0) | (extra.data.presences === true ? INTENTS.guildPresences : 0);
  if ((session.intents & needed) !== needed) {
    return CLOSE.disallowedIntents;
  }
  const { members, missing } = find(platform, guild, form.data);
  const chunkCount = Math.max(1, Math.ceil(members.length / CHUNK_SIZE));
  for (let index = 0; index < chunkCount; index += 1) {
    session.dispatch("GUILD_MEMBERS_CHUNK", {
      guild_id: guild.id,
      members: members
        .slice(index * CHUNK_SIZE, (index + 1) * CHUNK_SIZE)
        .map((member) => formatMember(platform, member)),
      chunk_index: index,
      chunk_count: chunkCount,
      ...(missing.length === 0 ? {} : { not_found: missing }),
      ...(extra.data.presences === true ? { presences: [] } : {}),
      ...(typeof extra.data.nonce === "string" ? { nonce: extra.data.nonce } : {}),
    });
  }
  return undefined;
}

/** The members that a request asks for, and the ids of no member of the guild. */
function find({ state }: Platform, guild: Guild, wanted: z.infer<typeof request>) {
  if ("user_ids" in wanted) {
    const asked = [wanted.user_ids].flat();
    return {
      members: asked.flatMap((id) => guild.members.get(id) ?? []),
      missing: asked.filter((id) => !guild.members.has(id)),
    };
  }
  const query = wanted.query.toLowerCase();
  const found = [...guild.members.values()].filter(({ userId }) => {
    const user = state.users.get(userId);
    return [user?.username, user?.displayName].some((name) => name?.toLowerCase().startsWith(query));
  });
  const most = query === "" ? wanted.limit || found.length : Math.min(wanted.limit || MOST_FOUND, MOST_FOUND);
  return { members: found.slice(0, most), missing: [] };
}
