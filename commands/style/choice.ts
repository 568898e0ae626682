// The choice of a picture, where a message holds several, and of its style.
import { UserError } from "../../src/core/errors.ts";
import type { Reply } from "../../src/core/reply.ts";
import { defineComponents } from "../../src/discord/define.ts";
import type { Media } from "../../src/discord/define/message.ts";
import { restyleArgsSchema } from "../../src/pictures/restyle-args.ts";
import {
  findPicture,
  isPictureName,
  parsePictureChoice,
  picturesLimit,
  stylePickerView,
  whichPictureView,
} from "../../src/pictures/style-picker-view.ts";
import { type RestyleContext, again, newArgs, ownersChange } from "./work.ts";

/** As many as one gallery shows. */
const MOST_PICTURES = 10;

/** Shows the pictures that somebody points at, so that one can be chosen and given a style. */
export async function offerPictures(context: RestyleContext, media: readonly Media[]): Promise<Reply> {
  const { services, caller, where, fileLimitBytes, progress } = context;
  const all = media.filter(isPictureName);
  const pictures = all.slice(0, MOST_PICTURES);
  if (pictures.length === 0) {
    throw new UserError(
      "There is no picture in that message. Pick one that has a picture, or use /style with your own.",
    );
  }
  progress("Looking at what is there…");
  const args = newArgs(caller.id);
  const maxBytes = picturesLimit(fileLimitBytes, pictures.length);
  const by = { userId: caller.id, guildId: where.guildId };
  const prepared = await services.restyle.prepare(pictures, { by, maxBytes });
  const offered = prepared.map((each) => {
    const { spoiler, description } = pictures[each.index] ?? { spoiler: false, description: undefined };
    return { ...each, isSpoiler: spoiler, description };
  });
  const [first] = offered;
  if (first && all.length === 1) {
    const { isSpoiler, wasAnimated, description } = first;
    const { styles } = services.restyle;
    return stylePickerView(first, {
      args: { ...args, isSpoiler, wasAnimated },
      description,
      styles,
      visibility: "public",
    });
  }
  return whichPictureView(offered, args, all.length - offered.length);
}

export default defineComponents({
  needs: ["restyle"],
  selects: {
    pick: {
      args: restyleArgsSchema,
      answers: ownersChange,
      run: ({ args, chosen, ...context }) => again(context, { ...args, style: chosen[0] }),
    },
    picture: {
      args: restyleArgsSchema,
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
