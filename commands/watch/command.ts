import { defineCommandGroup } from "../../src/discord/define.ts";

export default defineCommandGroup({
  description: "Be told when a train or your commute goes wrong",
});
