// The button that cancels the work on a picture.
import { UserError } from "../../src/core/errors.ts";
import { textReply } from "../../src/core/reply.ts";
import { defineComponents } from "../../src/discord/define.ts";
import { workArgs } from "../../src/pictures/restyle-args.ts";

export default defineComponents({
  needs: ["restyle"],
  buttons: {
    cancel: {
      args: workArgs,
      answers: "private",
      run({ args, services, caller }) {
        switch (services.restyle.cancel(args.workId, caller.id)) {
          case "cancelled":
            return textReply("Cancelled.", "private");
          case "not-yours":
            throw new UserError("Only the person who asked for this can cancel it.");
          case "gone":
            throw new UserError(
              "That has already finished, so there's nothing to cancel. If no picture came, please ask again.",
            );
        }
      },
    },
  },
});
