import { UserError } from "../src/core/errors.ts";
import { defineCommand } from "../src/discord/define.ts";
import type { Context } from "../src/discord/define/context.ts";
import { commandHelpView, groupHelpView, helpView, subjectView } from "../src/operations/help-view.ts";

/** The commands that the person can use in this place, and whether live trains are set up. */
async function offered({ services, usableCommands }: Context<"directory">) {
  const names = await usableCommands();
  const all = services.directory.list();
  const hasTrains = all.some(({ command }) => command === "departures");
  return [all.filter(({ command }) => names.has(command)), hasTrains] as const;
}

function nameTyped(text: string): string {
  return text.replace("/", "").trim().toLowerCase();
}

export default defineCommand({
  description: "See what I can do here",
  defer: "private",
  needs: ["directory"],
  options: {
    command: {
      type: "string",
      description: "A command to explain; pick one from the list as you type",
      maxLength: 65,
      autocomplete: ({ text, services }) =>
        services.directory
          .list()
          .filter(({ name }) => name.toLowerCase().includes(nameTyped(text)))
          .map(({ name }) => ({ name, value: name })),
    },
  },
  async run(context) {
    const { options, services } = context;
    if (options.command === undefined) {
      return helpView(...(await offered(context)));
    }
    const asked = nameTyped(options.command);
    const commands = services.directory.list();
    const members = commands.filter(({ name }) => name.startsWith(`${asked} `));
    if (members.length > 0) {
      return groupHelpView(asked, members);
    }
    const found = commands.find(({ name }) => name.toLowerCase() === asked);
    if (found === undefined) {
      throw new UserError("There's no command by that name here. `/help` on its own shows them all.");
    }
    const usable = await context.usableCommands();
    // The person is using /help. If it seems not to be usable, the server's rules are not known.
    const isKnown = context.where.guildId !== undefined && usable.has("help");
    return commandHelpView(found, isKnown && !usable.has(found.command));
  },
  selects: {
    subject: {
      run: async (context) => subjectView(...(await offered(context)), context.chosen[0] ?? ""),
    },
  },
});
