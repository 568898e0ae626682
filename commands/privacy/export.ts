import { defineCommand } from "../../src/discord/define.ts";
import { exportedView } from "../../src/operations/privacy-view.ts";

export default defineCommand({
  description: "Get everything I keep about you, as a file",
  needs: ["privacy"],
  defer: "private",
  run: async ({ caller, services }) => exportedView(await services.privacy.export(caller.id)),
});
