import { defineCommandGroup } from "../../src/discord/define.ts";

export default defineCommandGroup({
  description: "Get alerts when a train, your commute, a line or the railway is disrupted",
});
