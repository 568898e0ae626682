import { defineCommand } from "../../src/discord/define.ts";
import { listsView } from "../../src/operations/privacy-view.ts";

export default defineCommand({
  description: "Choose whether stations and styles you used recently come first in your lists",
  needs: ["privacy"],
  defer: "private",
  options: {
    remember: {
      type: "boolean",
      description: "Remember the stations and styles that you choose",
      required: true,
    },
  },
  async run({ options: { remember }, caller, services }) {
    await services.privacy.rememberChoices(caller.id, remember);
    return listsView(remember);
  },
});
