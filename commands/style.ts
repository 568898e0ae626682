// Restyled pictures: by command, from a message's menu, by mentioning the bot. /styles takes its parts from here.
import { UserError } from "../src/core/errors.ts";
import { textReply, type Reply, type Visibility } from "../src/core/reply.ts";
import {
  defineCommand,
  type ChoosePlace,
  type Completing,
  type Context,
  type Media,
  type MessageReference,
} from "../src/discord/define.ts";
import {
  cancelTarget,
  restyleArgsSchema,
  workArgsSchema,
  type RestyleArgs,
} from "../src/views/restyle-args.ts";
import { downloadView } from "../src/views/download-view.ts";
import {
  findPicture,
  isPictureName,
  picturesLimit,
  saidOf,
  type PictureRole,
} from "../src/views/restyle-files.ts";
import { restyleProgressText } from "../src/views/restyle-progress-text.ts";
import { restyledView } from "../src/views/restyled-view.ts";
import { styleWordForm } from "../src/views/style-menu.ts";
import { parsePictureChoice, stylePickerView, whichPictureView } from "../src/views/style-picker-view.ts";

type RestyleContext = Context<"restyle">;

/** As many as one gallery shows. */
const MOST_PICTURES = 10;

/** A picture and what is wanted of it. */
export interface Wanted {
  readonly picture: Pick<Media, "url" | "sizeBytes" | "description">;
  /** It stands in a message of the bot's own, made ready. */
  readonly isReady: boolean;
  /** That message, where it has components that may be pressed twice. */
  readonly messageId?: string | undefined;
  readonly args: RestyleArgs;
  readonly visibility?: Visibility;
}

/** An option that takes a style by any of its names. */
export const styleOption = {
  type: "string",
  maxLength: 80,
  autocomplete: ({ text, services }: Completing<"restyle">) =>
    services.restyle.suggest(text, 25).map(({ id, label, group }) => ({
      name: group === undefined ? label : `${label} (${group})`,
      value: id,
    })),
} as const;

/** Restyles a picture, or asks for the style where none is chosen yet. */
export async function restylePicture(context: RestyleContext, wanted: Wanted): Promise<Reply> {
  const { services, caller, where, fileLimitBytes, progress } = context;
  const { args, picture, isReady, messageId, visibility = "public" } = wanted;
  const { restyle } = services;
  const description = saidOf(picture);
  const source = { url: picture.url, sizeBytes: picture.sizeBytes, isReady };
  const by = { userId: caller.id, guildId: where.guildId };
  const maxBytes = picturesLimit(fileLimitBytes, 2);
  const { styles } = restyle;
  const blend = args.blend === undefined ? undefined : restyle.resolve(args.blend);
  if (args.style === undefined) {
    const [ready] = await restyle.look([source], { by, maxBytes });
    if (!ready) {
      throw new Error("a picture was neither made ready nor refused");
    }
    const kept = { ...args, blend: blend?.id, wasAnimated: args.wasAnimated || ready.wasAnimated };
    return stylePickerView(ready, { args: kept, description, styles, visibility });
  }
  const style = restyle.resolve(args.style);
  if (style.id === blend?.id) {
    throw new UserError(
      "Those are the same style twice. Please pick two different ones, or leave the second out.",
    );
  }
  const restyled = await restyle.process({
    picture: source,
    style,
    blend,
    intensity: args.intensity,
    by,
    messageId,
    maxBytes,
    onProgress: (state, workId) =>
      progress({ text: restyleProgressText(state), cancel: cancelTarget(workId) }),
  });
  const kept = { ...args, wasAnimated: args.wasAnimated || restyled.wasAnimated };
  return restyledView(restyled, { args: kept, description, styles, visibility });
}

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
  const looked = await services.restyle.look(pictures, { by, maxBytes });
  const offered = looked.map((each) => {
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

/** What is wanted by somebody who has said nothing yet. */
export function newArgs(ownerId: string): RestyleArgs {
  return {
    style: undefined,
    blend: undefined,
    intensity: 100,
    isSpoiler: false,
    wasAnimated: false,
    ownerId,
  };
}

/** Whoever asked changes their message; for anybody else there is a new one. */
const ownersChange: ChoosePlace<RestyleArgs> = ({ args, caller }) =>
  args.ownerId === caller.id ? "update" : "reply";

/** Works again on the picture of a message of the bot's own. Throws a UserError where it is gone. */
function again(
  context: RestyleContext & { readonly message?: MessageReference | undefined },
  args: RestyleArgs,
  role: PictureRole = "original",
): Promise<Reply> {
  const picture = findPicture(context.message?.media ?? [], role);
  if (!picture) {
    throw new UserError("The picture is no longer in this message. Please attach it again with /style.");
  }
  return restylePicture(context, {
    picture,
    isReady: true,
    messageId: context.message?.id,
    args: { ...args, ownerId: context.caller.id },
  });
}

export default defineCommand({
  description: "Give a picture another style; it is sent to the style service that this bot uses",
  needs: ["restyle"],
  privateBy: "private",
  options: {
    image: { type: "attachment", description: "The picture", required: true, fileTypes: ["image"] },
    style: {
      ...styleOption,
      description: "Which style; without one you can choose when you see the picture",
    },
    intensity: {
      type: "integer",
      description: "How strong, in per cent; 100 unless you say",
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
    cancel: {
      args: workArgsSchema,
      answers: "private",
      run({ args, services, caller }) {
        switch (services.restyle.cancel(args.w, caller.id)) {
          case "stopped":
            return textReply("I have stopped it.", "private");
          case "not-yours":
            throw new UserError("Only the person who asked for this can stop it.");
          case "gone":
            throw new UserError(
              "That is no longer under way, so there is nothing to stop. If no picture came, please ask again.",
            );
        }
      },
    },
  },
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
  modals: {
    word: {
      args: restyleArgsSchema,
      answers: ownersChange,
      run: ({ args, fields, ...context }) => again(context, { ...args, style: fields["style"]?.[0]?.trim() }),
    },
  },
});
