// Routes for registering commands, and for reading the permissions that a guild's administrators have set for them. A
// bot cannot write those.
import { refusal } from "../errors.ts";
import type { Platform } from "../platform.ts";
import { joinedGuild } from "../rules/bot-access.ts";
import { replaceCommands } from "../rules/commands.ts";
import { formatCommand, formatCommandPermissions } from "../serialise/command.ts";
import { requireApplication } from "../state.ts";
import { parseCommandForm, parseCommandForms } from "../validate/command.ts";
import { createRoutes, type Routes } from "./environment.ts";

export function commandRoutes(platform: Platform): Routes {
  const { state } = platform;
  const base = "/applications/:application/commands";
  const ofGuild = "/applications/:application/guilds/:guild/commands";

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
      const known = [...state.commands.values()];
      const others = known.filter(({ kind, name }) => kind !== form.kind || name !== form.name);
      const [command] = replaceCommands(platform, [form, ...others]);
      const status = others.length === known.length ? 201 : 200;
      return context.json(command && formatCommand(platform, command), status);
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
