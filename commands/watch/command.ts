import { defineCommandGroup } from "../../src/discord/define.ts";

export default defineCommandGroup({
  description: "Get alerts when a train or your commute is disrupted",
});
