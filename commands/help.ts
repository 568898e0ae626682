import { UserError } from "../src/core/errors.ts";
import { defineCommand } from "../src/discord/define.ts";
import { commandHelpView, groupHelpView, helpView } from "../src/operations/help-view.ts";

export default defineCommand({
  description: "See what Signalbox can do here",
  needs: ["directory"],
  options: {
    command: {
      type: "string",
      description: "Which command to explain; pick one from the list as you type",
      maxLength: 65,
      autocomplete: ({ text, services }) => {
        const typed = text.replace("/", "").trim().toLowerCase();
        return services.directory
          .list()
          .filter(({ name }) => name.toLowerCase().includes(typed))
          .slice(0, 25)
          .map(({ name }) => ({ name, value: name }));
      },
    },
  },
  run({ options, services }) {
    const commands = services.directory.list();
    if (options.command === undefined) {
      return helpView(commands);
    }
    const asked = options.command.replace("/", "").trim().toLowerCase();
    const found = commands.find(({ name }) => name.toLowerCase() === asked);
    const members = commands.filter(({ name }) => name.startsWith(`${asked} `));
    if (members.length > 0) {
      return groupHelpView(members);
    }
    if (found === undefined) {
      throw new UserError("I have no command of that name here. `/help` on its own lists them all.");
    }
    return commandHelpView(found);
  },
});
