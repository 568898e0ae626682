// Routes about the bot itself: its application, its gateway, its guilds and the people in them.
import { PermissionFlagsBits } from "discord-api-types/v10";
import { z } from "zod";
import { refusal } from "../errors.ts";
import { identifiesOfDay } from "../gateway/identify.ts";
import { openDirectChannel, removeGuild } from "../guilds.ts";
import type { Platform } from "../platform.ts";
import { joinedGuild } from "../rules/bot-access.ts";
import {
  formatChannel,
  formatGuild,
  formatMember,
  formatOwnGuild,
  formatSelf,
  formatUser,
} from "../serialise/people.ts";
import { guildOf, userOf } from "../state.ts";
import { listPart } from "../validate/list-query.ts";
import { parseForm } from "../validate/problems.ts";
import { createRoutes, noContent, type Routes } from "./environment.ts";

const LISTED = { usual: 200, most: 200, first: "oldest" } as const;
const DAY_MS = 86_400_000;

export function selfRoutes(platform: Platform): Routes {
  const { state, settings } = platform;
  const botId = state.application.id;
  const gatewayUrl = () => `${platform.baseUrl.replace("http", "ws")}/gateway`;
  return createRoutes()
    .get("/applications/@me", (context) => context.json(describeApplication(platform)))
    .get("/gateway", (context) => context.json({ url: gatewayUrl() }))
    .get("/gateway/bot", (context) => {
      const recent = identifiesOfDay(platform);
      const { identifyLimit } = settings;
      const [oldest] = recent;
      return context.json({
        url: gatewayUrl(),
        shards: settings.shards,
        session_start_limit: {
          total: identifyLimit,
          remaining: Math.max(0, identifyLimit - recent.length),
          reset_after: oldest === undefined ? 0 : oldest + DAY_MS - platform.clock.now(),
          max_concurrency: settings.identifyConcurrency,
        },
      });
    })
    .get("/users/@me", (context) => context.json(formatSelf(userOf(state, botId))))
    .get("/users/@me/guilds", (context) => {
      const counts = context.req.query("with_counts") === "true";
      const guilds = [...state.guilds.values()]
        .filter(({ members }) => members.has(botId))
        .toSorted((a, b) => (BigInt(a.id) < BigInt(b.id) ? -1 : 1));
      const wanted = listPart(guilds, context.req.query(), LISTED);
      return context.json(wanted.map((guild) => formatOwnGuild(guild, botId, counts)));
    })
    .delete("/users/@me/guilds/:guild", (context) => {
      removeGuild(platform, guildOf(state, context.req.param("guild")));
      return noContent(context);
    })
    .get("/users/:user", (context) => context.json(formatUser(userOf(state, context.req.param("user")))))
    .post("/users/@me/channels", (context) => {
      const form = parseForm(z.object({ recipient_id: z.string() }), context.var.body.json);
      const user = userOf(state, form.recipient_id);
      if (user.bot) {
        throw refusal("cannotMessageUser");
      }
      return context.json(formatChannel(platform, openDirectChannel(platform, user.id)));
    })
    .get("/guilds/:guild", (context) =>
      context.json(formatGuild(joinedGuild(platform, context.req.param("guild")))),
    )
    .get("/guilds/:guild/members/:user", (context) => {
      const guild = joinedGuild(platform, context.req.param("guild"));
      const member = guild.members.get(context.req.param("user"));
      if (member === undefined) {
        throw refusal("unknownMember");
      }
      return context.json(formatMember(platform, member));
    });
}

function describeApplication({ state, settings }: Platform): object {
  return {
    id: state.application.id,
    name: state.application.name,
    icon: null,
    description: "",
    summary: "",
    type: null,
    bot: formatUser(userOf(state, state.application.id)),
    bot_public: true,
    bot_require_code_grant: false,
    owner: formatUser(
      [...state.users.values()].find(({ bot }) => !bot) ?? userOf(state, state.application.id),
    ),
    team: null,
    verify_key: "0".repeat(64),
    flags: 0,
    tags: [],
    hook: true,
    install_params: {
      scopes: ["bot", "applications.commands"],
      permissions: String(PermissionFlagsBits.SendMessages),
    },
    integration_types_config: { "0": {}, "1": {} },
    redirect_uris: [],
    interactions_endpoint_url: settings.interactionsEndpointUrl ?? null,
    role_connections_verification_url: null,
    approximate_guild_count: state.guilds.size,
    approximate_user_install_count: state.userInstalls.size,
    approximate_user_authorization_count: state.userInstalls.size,
    eligible_oauth2_scopes: [],
    explicit_content_filter: 0,
    flags_new: "0",
  };
}
