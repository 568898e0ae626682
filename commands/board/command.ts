import { defineCommandGroup } from "../../src/discord/define.ts";

export default defineCommandGroup({
  description: "Departure boards that channels of this server keep",
  default: "ManageGuild",
  places: ["guild"],
});
