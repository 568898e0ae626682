import { defineCommandGroup } from "../../src/discord/define.ts";

export default defineCommandGroup({
  description: "See what Signalbox keeps about you, or erase it",
});
