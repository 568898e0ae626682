// The first events of a new session.
import type { Guild } from "../entities.ts";
import type { Platform } from "../platform.ts";
import { formatGuildCreate, formatUser } from "../serialise/people.ts";
import { shardOf } from "../snowflake.ts";
import { userOf } from "../state.ts";
import { INTENTS } from "./identify.ts";
import type { Session } from "./session.ts";

/** Sends READY, then the shard's guilds one by one. */
export function greet(platform: Platform, session: Session): void {
  const { state, settings } = platform;
  const { application } = state;
  const guilds = [...state.guilds.values()].filter(
    (guild) =>
      guild.members.has(application.id) && shardOf(guild.id, session.shard.count) === session.shard.id,
  );
  session.dispatch("READY", {
    v: 10,
    user: { ...formatUser(userOf(state, application.id)), verified: true, mfa_enabled: true, email: null },
    guilds: guilds.map(({ id }) => ({ id, unavailable: true })),
    session_id: session.id,
    session_type: "normal",
    resume_gateway_url: settings.resumeUrl ?? `${platform.baseUrl.replace("http", "ws")}/gateway`,
    application: { id: application.id, flags: 0 },
    shard: [session.shard.id, session.shard.count],
    private_channels: [],
    relationships: [],
    _trace: [],
  });
  for (const guild of guilds) {
    tellGuild(platform, session, guild);
  }
}

/** GUILD_CREATE, with what the session's intents allow. */
export function tellGuild(platform: Platform, session: Session, guild: Guild): void {
  if ((session.intents & INTENTS.guilds) !== 0) {
    const tellsMembers = (session.intents & INTENTS.guildPresences) !== 0;
    session.dispatch("GUILD_CREATE", formatGuildCreate(platform, guild, tellsMembers));
  }
}
