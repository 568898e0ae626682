import { defineCommand } from "../../src/discord/define.ts";
import { listsView } from "../../src/operations/privacy-view.ts";

export default defineCommand({
  description: "Choose whether what you often use comes first in your lists",
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
