import { defineCommandGroup } from "../../src/discord/define.ts";

export default defineCommandGroup({
  description: "Publish videos from this server, and look after them",
  default: "ManageGuild",
  contexts: ["guild"],
});
