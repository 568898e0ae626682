import { textReply } from "../../src/core/reply.ts";
import { defineCommand } from "../../src/discord/define.ts";
import { confirmEraseView, erasedView } from "../../src/operations/privacy-view.ts";

export default defineCommand({
  description: "Erase everything I keep about you",
  needs: ["privacy"],
  defer: "private",
  run: () => confirmEraseView(),
  buttons: {
    confirm: {
      async run({ caller, services }) {
        await services.privacy.erase(caller.id);
        return erasedView();
      },
    },
    cancel: { run: () => textReply("All right. Nothing was erased.", "private") },
  },
});
