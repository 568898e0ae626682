import { defineCommandGroup } from "../../src/discord/define.ts";

export default defineCommandGroup({
  description: "Get alerts when a train, your commute or a line is disrupted",
});
