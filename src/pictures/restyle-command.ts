// What /style and /styles share: the work on one picture, first or again, as the answer.
import { UserError } from "../core/errors.ts";
import type { Reply, Visibility } from "../core/reply.ts";
import type { ChooseAnswerMode } from "../discord/define/components.ts";
import type { Context } from "../discord/define/context.ts";
import type { Media, MessageReference } from "../discord/define/message.ts";
import { type RestyleArgs, cancelTarget } from "./restyle-args.ts";
import { restyleProgressText, restyledView } from "./restyled-view.ts";
import {
  type PictureRole,
  findPicture,
  picturesLimit,
  saidOf,
  stylePickerView,
} from "./style-picker-view.ts";

export type RestyleContext = Context<"restyle">;

interface Wanted {
  readonly picture: Pick<Media, "url" | "sizeBytes" | "description">;
  /** It stands in a message of the bot's own, made ready. */
  readonly isReady: boolean;
  /** That message, where it has components that may be pressed twice. */
  readonly messageId?: string | undefined;
  readonly args: RestyleArgs;
  readonly visibility?: Visibility;
}

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
    const [ready] = await restyle.prepare([source], { by, maxBytes });
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

/** The person who asked changes their message; anybody else gets a new one. */
export const ownersChange: ChooseAnswerMode<RestyleArgs> = ({ args, caller }) =>
  args.ownerId === caller.id ? "update" : "reply";

/** Works again on the picture of a message of the bot's own. Throws a UserError where it is gone. */
export function again(
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
