import type { Command, CommandPermission } from "../entities.ts";
import type { Platform } from "../platform.ts";

export function formatCommand(platform: Platform, command: Command): object {
  return {
    id: command.id,
    application_id: platform.state.application.id,
    version: command.version,
    type: command.kind,
    name: command.name,
    name_localizations: null,
    description: command.description,
    description_localizations: null,
    default_member_permissions: command.defaultMemberPermissions ?? null,
    nsfw: command.nsfw,
    ...(command.options.length === 0 ? {} : { options: command.options }),
    integration_types: command.integrationTypes,
    contexts: command.contexts ?? null,
  };
}

export function formatCommandPermissions(
  platform: Platform,
  guildId: string,
  commandId: string,
  permissions: readonly CommandPermission[],
): object {
  return {
    id: commandId,
    application_id: platform.state.application.id,
    guild_id: guildId,
    permissions: permissions.map(({ id, kind, allow }) => ({ id, type: kind, permission: allow })),
  };
}
