// The application about itself.
import { PermissionFlagsBits } from "discord-api-types/v10";
import type { Platform } from "../platform.ts";
import { formatUser } from "../serialise/people.ts";
import { userOf } from "../state.ts";
import { createRoutes, type Routes } from "./environment.ts";

export function applicationRoutes(platform: Platform): Routes {
  const { state } = platform;
  const describe = () => ({
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
    interactions_endpoint_url: null,
    role_connections_verification_url: null,
    approximate_guild_count: state.guilds.size,
    approximate_user_install_count: state.userInstalls.size,
    approximate_user_authorization_count: state.userInstalls.size,
    eligible_oauth2_scopes: [],
    explicit_content_filter: 0,
    flags_new: "0",
  });
  return createRoutes().get("/applications/@me", (context) => context.json(describe()));
}
