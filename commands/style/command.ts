// Restyles pictures by command, by a message's menu and by a mention of the bot; has the buttons of the result too.
import { UserError } from "../../src/core/errors.ts";
import type { Reply } from "../../src/core/reply.ts";
import { defineCommand } from "../../src/discord/define.ts";
import type { Media, MessageReference } from "../../src/discord/define/context.ts";
import type { AutocompleteRequest } from "../../src/discord/define/options.ts";
import { downloadView } from "../../src/pictures/restyled-view.ts";
import { restyleArgs, restyleTarget } from "../../src/pictures/restyle-args.ts";
import {
  type RestyleContext,
  restyleAgain,
  newArgs,
  updateForOwner,
  prepareOptions,
  restylePicture,
} from "../../src/pictures/restyle-command.ts";
import {
  findPicture,
  isPictureName,
  sentPickerView,
  styleWordForm,
  whichPictureView,
  whichSentView,
} from "../../src/pictures/style-picker-view.ts";

const styleOption = {
  type: "string",
  maxLength: 80,
  autocomplete: ({ text, recent, services }: AutocompleteRequest<"restyle">) =>
    services.restyle.suggest(text, 25, recent).map(({ id, label, group }) => ({
      name: group === undefined ? label : `${label} (${group})`,
      value: id,
    })),
  recall: {
    kind: "style",
    valueOf: ({ text, services }: Pick<AutocompleteRequest<"restyle">, "text" | "services">) =>
      services.restyle.styles.find(({ id }) => id === text)?.id,
  },
} as const;

/** The most that one gallery shows. */
const MAX_PICTURES = 10;

async function offerPictures(context: RestyleContext, media: readonly Media[]): Promise<Reply> {
  const { services, caller, progress } = context;
  const all = media.filter(isPictureName);
  const pictures = all.slice(0, MAX_PICTURES);
  const [only] = pictures;
  if (!only) {
    throw new UserError(
      "There's no picture in that message. Pick one that has a picture, or use `/style` with your own.",
    );
  }
  if (all.length === 1) {
    const args = { ...newArgs(caller.id), isSpoiler: only.spoiler };
    return restylePicture(context, { picture: only, args });
  }
  progress("Looking for pictures…");
  const args = newArgs(caller.id);
  const prepared = await services.restyle.prepare(pictures, prepareOptions(context, pictures.length));
  const offered = prepared.map((each) => {
    const { spoiler, description } = pictures[each.index] ?? { spoiler: false, description: undefined };
    return { ...each, isSpoiler: spoiler, description };
  });
  return whichPictureView(offered, args, all.length - offered.length);
}

/** Restyles a picture that somebody sent with a mention, at once if their text names a style. */
function restyleSent(
  context: RestyleContext & { readonly message: MessageReference },
): Reply | Promise<Reply> {
  const { services, caller, message } = context;
  const pictures = message.attachments.filter(isPictureName).slice(0, MAX_PICTURES);
  const [first] = pictures;
  if (!first) {
    throw new UserError("There's no picture in that message.");
  }
  const style = services.restyle.findIn(message.content)?.id;
  const isSpoiler = pictures.some(({ spoiler }) => spoiler);
  const args = { ...newArgs(caller.id), style, isSpoiler };
  if (pictures.length > 1) {
    return whichSentView(
      message.id,
      pictures.map(({ name }) => name),
      args,
    );
  }
  return style === undefined
    ? sentPickerView({ messageId: message.id, index: 0 }, args, services.restyle.styles)
    : restylePicture(context, { picture: first, args });
}

export default defineCommand({
  description: "Restyle a picture (I send it to a style service)",
  needs: ["restyle"],
  // Without a style, the answer is a picker for that person alone.
  isPrivate: (typed) => typed.private === true || typed.style === undefined,
  options: {
    image: {
      type: "attachment",
      description: "The picture to restyle",
      required: true,
      fileTypes: ["image"],
    },
    style: {
      ...styleOption,
      description: "The style (default: choose from a list, or compare several)",
    },
    intensity: {
      type: "integer",
      description: "How strong the style is, from 1 to 100% (default: 100%)",
      min: 1,
      max: 100,
    },
    blend: { ...styleOption, description: "A second style to mix in, half and half" },
    spoiler: { type: "boolean", description: "Blur the pictures until somebody opens them" },
    private: { type: "boolean", description: "Show the result only to you" },
  },
  run(context) {
    const { image, style, intensity, blend, spoiler, private: isPrivate } = context.options;
    const args = {
      ...newArgs(context.caller.id),
      style: style?.trim() || undefined,
      blend: blend?.trim() || undefined,
      intensity: intensity ?? 100,
      isSpoiler: image.spoiler || spoiler === true,
      isPrivate: isPrivate === true,
    };
    return restylePicture(context, { picture: image, args });
  },
  messageMenu: {
    name: "Restyle picture",
    defer: "private",
    run: (context) => offerPictures(context, context.message.media),
  },
  messages: {
    fileTypes: ["image"],
    run: restyleSent,
  },
  buttons: {
    again: {
      args: restyleArgs,
      answers: updateForOwner,
      run: ({ args, ...context }) => restyleAgain(context, args),
    },
    word: {
      args: restyleArgs,
      run: ({ args, services }) => styleWordForm(services.restyle.styles, restyleTarget("word", args)),
    },
    full: {
      args: restyleArgs,
      answers: "private",
      async run({ args, message, services, caller, where, fileLimitBytes }) {
        const picture = findPicture(message.media, "restyled");
        if (!picture) {
          throw new UserError(
            "The picture is no longer in this message. Please make it again with `/style`.",
          );
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
            "Only the person who asked for this can delete it here. Moderators can delete the message.",
          );
        }
        return { type: "removal" };
      },
    },
  },
  modals: {
    word: {
      args: restyleArgs,
      // The first style is typed in the person's own picker, and the result is public.
      answers: (press) =>
        press.args.style === undefined && !press.args.isPrivate ? "public" : updateForOwner(press),
      run: ({ args, fields, ...context }) =>
        restyleAgain(context, { ...args, style: fields["style"]?.[0]?.trim() }),
    },
  },
});
