// Registration of commands, global and of one guild.
import { z } from "zod";
import type { Command } from "../entities.ts";
import { refusal } from "../errors.ts";
import type { Platform } from "../platform.ts";
import { joinedGuild } from "../rules/bot-access.ts";
import { commandsIn, putCommand, removeCommand, replaceCommands } from "../rules/commands.ts";
import { formatCommand } from "../serialise/command.ts";
import { requireApplication } from "../state.ts";
import { parseCommandForm, parseCommandForms } from "../validate/command.ts";
import { parseForm } from "../validate/problems.ts";
import { createRoutes, noContent, type RouteContext, type Routes } from "./environment.ts";

export function commandRoutes(platform: Platform): Routes {
  const routes = createRoutes();
  for (const base of ["/applications/:application", "/applications/:application/guilds/:guild"]) {
    routes
      .get(`${base}/commands`, (context) => {
        const commands = commandsIn(platform, scopeOf(platform, context));
        return context.json(commands.map((command) => formatCommand(platform, command)));
      })
      .put(`${base}/commands`, (context) => {
        const forms = parseCommandForms(context.var.body.json);
        const commands = replaceCommands(platform, scopeOf(platform, context), forms);
        return context.json(commands.map((command) => formatCommand(platform, command)));
      })
      .post(`${base}/commands`, (context) => {
        const guildId = scopeOf(platform, context);
        const form = parseCommandForm(context.var.body.json);
        const isNew = !commandsIn(platform, guildId).some(
          ({ kind, name }) => kind === form.kind && name === form.name,
        );
        return context.json(formatCommand(platform, putCommand(platform, guildId, form)), isNew ? 201 : 200);
      })
      .get(`${base}/commands/:command`, (context) =>
        context.json(formatCommand(platform, commandOf(platform, context))),
      )
      .patch(`${base}/commands/:command`, (context) => {
        const old = commandOf(platform, context);
        const change = parseForm(z.record(z.string(), z.unknown()), context.var.body.json);
        const form = parseCommandForm({ ...formatCommand(platform, old), ...change, type: old.kind });
        const command: Command = { ...form, id: old.id, guildId: old.guildId, version: platform.ids.next() };
        platform.state.commands.set(command.id, command);
        platform.changes.tell({ type: "commands-changed", guildId: command.guildId });
        return context.json(formatCommand(platform, command));
      })
      .delete(`${base}/commands/:command`, (context) => {
        removeCommand(platform, commandOf(platform, context));
        return noContent(context);
      });
  }
  return routes;
}

/** The guild whose commands are meant; `undefined` for the global ones. */
function scopeOf(platform: Platform, context: RouteContext): string | undefined {
  requireApplication(platform.state, context.req.param("application") ?? "");
  const guildId = context.req.param("guild");
  return guildId === undefined ? undefined : joinedGuild(platform, guildId).id;
}

function commandOf(platform: Platform, context: RouteContext): Command {
  const guildId = scopeOf(platform, context);
  const command = platform.state.commands.get(context.req.param("command") ?? "");
  if (command === undefined || command.guildId !== guildId) {
    throw refusal("unknownCommand");
  }
  return command;
}
