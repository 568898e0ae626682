import { defineCommandGroup } from "../../src/discord/define.ts";

export default defineCommandGroup({
  description: "See what I keep about you, or erase it",
});
