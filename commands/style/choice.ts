// The choice of a picture, where a message holds several, and of its style.
import { defineComponents } from "../../src/discord/define.ts";
import { restyleArgs } from "../../src/pictures/restyle-args.ts";
import { again, ownersChange } from "../../src/pictures/restyle-command.ts";
import { findPicture, parsePictureChoice } from "../../src/pictures/style-picker-view.ts";

export default defineComponents({
  needs: ["restyle"],
  selects: {
    pick: {
      args: restyleArgs,
      answers: ownersChange,
      run: ({ args, chosen, ...context }) => again(context, { ...args, style: chosen[0] }),
    },
    picture: {
      args: restyleArgs,
      answers: ownersChange,
      run({ args, chosen, ...context }) {
        const choice = parsePictureChoice(chosen[0] ?? "");
        const role = `picture-${choice?.number ?? 0}` as const;
        const isSpoiler = findPicture(context.message.media, role)?.spoiler ?? false;
        return again(context, { ...args, isSpoiler, wasAnimated: choice?.wasAnimated ?? false }, role);
      },
    },
  },
});
