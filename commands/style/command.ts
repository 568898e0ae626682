// Restyled pictures: by command, from a message's menu, by mentioning the bot; and what can be done with the result.
import { UserError } from "../../src/core/errors.ts";
import { defineCommand } from "../../src/discord/define.ts";
import type { Completing } from "../../src/discord/define/options.ts";
import { downloadView } from "../../src/pictures/restyled-view.ts";
import { restyleArgsSchema } from "../../src/pictures/restyle-args.ts";
import { findPicture } from "../../src/pictures/style-picker-view.ts";
import { styleWordForm } from "../../src/pictures/style-menu-view.ts";
import { offerPictures } from "./choice.ts";
import { again, newArgs, ownersChange, restylePicture } from "./work.ts";

const styleOption = {
  type: "string",
  maxLength: 80,
  autocomplete: ({ text, services }: Completing<"restyle">) =>
    services.restyle.suggest(text, 25).map(({ id, label, group }) => ({
      name: group === undefined ? label : `${label} (${group})`,
      value: id,
    })),
} as const;

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
      description: "How strong, from 1 to 100 per cent; 100 unless you say",
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
      args: restyleArgsSchema,
      answers: ownersChange,
      run: ({ args, ...context }) => again(context, args),
    },
    word: {
      args: restyleArgsSchema,
      run: ({ args, services }) => styleWordForm(services.restyle.styles, args),
    },
    full: {
      args: restyleArgsSchema,
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
      args: restyleArgsSchema,
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
      args: restyleArgsSchema,
      answers: ownersChange,
      run: ({ args, fields, ...context }) => again(context, { ...args, style: fields["style"]?.[0]?.trim() }),
    },
  },
});
