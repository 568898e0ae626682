// Registration of commands, and what a guild's administrators decided about them: a bot may read that, not write it.
import { z } from "zod";
import type { Command } from "../entities.ts";
import { refusal } from "../errors.ts";
import type { Platform } from "../platform.ts";
import { joinedGuild } from "../rules/bot-access.ts";
import { putCommand, removeCommand, replaceCommands, sameCommand } from "../rules/commands.ts";
import { formatCommand, formatCommandPermissions } from "../serialise/command.ts";
import { requireApplication } from "../state.ts";
import { parseCommandForm, parseCommandForms } from "../validate/command.ts";
import { parseForm } from "../validate/problems.ts";
import { createRoutes, noContent, type RouteContext, type Routes } from "./environment.ts";

export function commandRoutes(platform: Platform): Routes {
  const { state, ids, changes } = platform;
  const base = "/applications/:application/commands";
  const ofGuild = "/applications/:application/guilds/:guild/commands";

  function commandOf(context: RouteContext): Command {
    const command = state.commands.get(context.req.param("command") ?? "");
    if (command === undefined) {
      throw refusal("unknownCommand");
    }
    return command;
  }

  const routes = createRoutes();
  routes.use("/applications/:application/*", async (context, next) => {
    const id = context.req.param("application");
    if (id !== "@me") {
      requireApplication(state, id);
    }
    await next();
  });
  return routes
    .get(base, (context) =>
      context.json([...state.commands.values()].map((command) => formatCommand(platform, command))),
    )
    .put(base, (context) => {
      const commands = replaceCommands(platform, parseCommandForms(context.var.body.json));
      return context.json(commands.map((command) => formatCommand(platform, command)));
    })
    .post(base, (context) => {
      const form = parseCommandForm(context.var.body.json);
      const status = sameCommand(platform, form) === undefined ? 201 : 200;
      return context.json(formatCommand(platform, putCommand(platform, form)), status);
    })
    .get(`${base}/:command`, (context) => context.json(formatCommand(platform, commandOf(context))))
    .patch(`${base}/:command`, (context) => {
      const old = commandOf(context);
      const change = parseForm(z.record(z.string(), z.unknown()), context.var.body.json);
      const form = parseCommandForm({ ...formatCommand(platform, old), ...change, type: old.kind });
      const command = { ...form, id: old.id, version: ids.next() };
      state.commands.set(command.id, command);
      changes.tell({ type: "commands-changed" });
      return context.json(formatCommand(platform, command));
    })
    .delete(`${base}/:command`, (context) => {
      removeCommand(platform, commandOf(context));
      return noContent(context);
    })
    .get(`${ofGuild}/permissions`, (context) => {
      const guild = joinedGuild(platform, context.req.param("guild"));
      return context.json(
        [...guild.commandPermissions].map(([id, permissions]) =>
          formatCommandPermissions(platform, guild.id, id, permissions),
        ),
      );
    })
    .get(`${ofGuild}/:command/permissions`, (context) => {
      const guild = joinedGuild(platform, context.req.param("guild"));
      const id = context.req.param("command");
      const permissions = guild.commandPermissions.get(id);
      if (permissions === undefined) {
        throw refusal("unknownCommandPermissions");
      }
      return context.json(formatCommandPermissions(platform, guild.id, id, permissions));
    });
}
