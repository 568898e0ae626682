import { defineCommand } from "../src/discord/define.ts";
import { aboutView } from "../src/operations/about-view.ts";

export default defineCommand({
  description: "See what Signalbox is, how it's doing and where its data comes from",
  needs: ["readAbout"],
  run: async ({ services }) => aboutView(await services.readAbout()),
});
