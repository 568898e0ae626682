import { defineCommandGroup } from "../../src/discord/define.ts";

export default defineCommandGroup({
  description: "What Signalbox keeps about you: see it, or have it erased",
});
