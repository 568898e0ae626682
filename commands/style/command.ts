// Restyled pictures: by command, from a message's menu, by mentioning the bot; and what can be done with the result.
import { UserError } from "../../src/core/errors.ts";
import type { Reply } from "../../src/core/reply.ts";
import { defineCommand } from "../../src/discord/define.ts";
import type { Media } from "../../src/discord/define/message.ts";
import type { Completing } from "../../src/discord/define/options.ts";
import { downloadView } from "../../src/pictures/restyled-view.ts";
import { restyleArgs } from "../../src/pictures/restyle-args.ts";
import {
  type RestyleContext,
  again,
  newArgs,
  ownersChange,
  restylePicture,
} from "../../src/pictures/restyle-command.ts";
import {
  findPicture,
  isPictureName,
  picturesLimit,
  stylePickerView,
  whichPictureView,
} from "../../src/pictures/style-picker-view.ts";
import { styleWordForm } from "../../src/pictures/style-menu-view.ts";

const styleOption = {
  type: "string",
  maxLength: 80,
  autocomplete: ({ text, services }: Completing<"restyle">) =>
    services.restyle.suggest(text, 25).map(({ id, label, group }) => ({
      name: group === undefined ? label : `${label} (${group})`,
      value: id,
    })),
} as const;

/** As many as one gallery shows. */
const MOST_PICTURES = 10;

/** Shows the pictures that somebody points at, so that one can be chosen and given a style. */
async function offerPictures(context: RestyleContext, media: readonly Media[]): Promise<Reply> {
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

export default defineCommand({
  description: "Give a picture another style; it is sent to the style service that this bot uses",
  needs: ["restyle"],
  privateBy: "private",
  options: {
    image: {
      type: "attachment",
      description: "The picture to restyle",
      required: true,
      fileTypes: ["image"],
    },
    style: {
      ...styleOption,
      description: "Which style; leave it out to choose when you see the picture",
    },
    intensity: {
      type: "integer",
      description: "How strong, from 1 to 100 per cent; 100 by default",
      min: 1,
      max: 100,
    },
    blend: { ...styleOption, description: "A second style, half and half with the first" },
    spoiler: { type: "boolean", description: "Hide the pictures until somebody wants to see them" },
    private: { type: "boolean", description: "Show the answer to you alone" },
  },
  run(context) {
    const { image, style, intensity, blend, spoiler, private: isPrivate } = context.options;
    const args = {
      ...newArgs(context.caller.id),
      style: style?.trim() || undefined,
      blend: blend?.trim() || undefined,
      intensity: intensity ?? 100,
      isSpoiler: image.spoiler || spoiler === true,
    };
    return restylePicture(context, {
      picture: image,
      isReady: false,
      args,
      visibility: isPrivate === true ? "private" : "public",
    });
  },
  messageMenu: {
    name: "Restyle picture",
    run: (context) => offerPictures(context, context.message.media),
  },
  messages: {
    fileTypes: ["image"],
    run: (context) => offerPictures(context, context.message.attachments),
  },
  buttons: {
    again: {
      args: restyleArgs,
      answers: ownersChange,
      run: ({ args, ...context }) => again(context, args),
    },
    word: {
      args: restyleArgs,
      run: ({ args, services }) => styleWordForm(services.restyle.styles, args),
    },
    full: {
      args: restyleArgs,
      answers: "private",
      async run({ args, message, services, caller, where, fileLimitBytes }) {
        const picture = findPicture(message.media, "restyled");
        if (!picture) {
          throw new UserError("The picture is no longer in this message. Please make it again with /style.");
        }
        const by = { userId: caller.id, guildId: where.guildId };
        const file = await services.restyle.download(picture, { by, maxBytes: fileLimitBytes });
        return downloadView(file, { description: picture.description, isSpoiler: args.isSpoiler });
      },
    },
    delete: {
      args: restyleArgs,
      run({ args, caller }) {
        if (args.ownerId !== caller.id) {
          throw new UserError(
            "Only the person who asked for this can take it away here. Moderators can delete the message.",
          );
        }
        return { type: "removal" };
      },
    },
  },
  modals: {
    word: {
      args: restyleArgs,
      answers: ownersChange,
      run: ({ args, fields, ...context }) => again(context, { ...args, style: fields["style"]?.[0]?.trim() }),
    },
  },
});
