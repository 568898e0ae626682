// The work on one picture that /style and /styles share, for a first request and for the buttons under the result.
import { UserError } from "../core/errors.ts";
import type { Reply, Visibility } from "../core/reply.ts";
import type { ChooseAnswerMode } from "../discord/define.ts";
import type { Context, Media, MessageReference } from "../discord/define/context.ts";
import type { PrepareOptions, RestyleRequest, Restyled } from "./restyle.ts";
import { type RestyleArgs, type SentPicture, cancelTarget } from "./restyle-args.ts";
import { restyleProgressText, restyledView, severalRestyledView } from "./restyled-view.ts";
import {
  MAX_COMPARED,
  type PictureRole,
  findPicture,
  isPictureName,
  picturesLimit,
  descriptionBySender,
  stylePickerView,
} from "./style-picker-view.ts";

export type RestyleContext = Context<"restyle">;

interface RestyleInput {
  readonly picture: Pick<Media, "url" | "sizeBytes" | "description">;
  /** The id of that message if its components may be pressed twice. */
  readonly messageId?: string | undefined;
  readonly args: RestyleArgs;
}

/** Restyles a picture, or asks for the style if none has been chosen yet. */
export async function restylePicture(context: RestyleContext, input: RestyleInput): Promise<Reply> {
  const { restyle } = context.services;
  const { args } = input;
  const blend = args.blend === undefined ? undefined : restyle.resolve(args.blend);
  if (args.style === undefined) {
    return pickStyle(context, input, blend?.id);
  }
  const style = restyle.resolve(args.style);
  if (style.id === blend?.id) {
    throw new UserError(
      "That's the same style twice. Please pick two different ones, or leave out the second.",
    );
  }
  const request = requestOf(context, input, 2);
  const restyled = await restyle.process({ ...request, style, blend, intensity: args.intensity });
  return restyledView(restyled, viewOptions(context, input, restyled));
}

/** Restyles a picture in several styles, one after the other. The reply also names the styles that failed. */
async function restyleInSeveral(
  context: RestyleContext,
  input: RestyleInput,
  styleIds: readonly string[],
): Promise<Reply> {
  const { restyle } = context.services;
  const request = {
    ...requestOf(context, input, styleIds.length + 1),
    blend: undefined,
    intensity: input.args.intensity,
  };
  const { made, failed } = await restyle.processEach(request, styleIds.map(restyle.resolve));
  return severalRestyledView(made, failed, viewOptions(context, input, made[0]));
}

async function pickStyle(
  context: RestyleContext,
  { picture, args }: RestyleInput,
  blendId: string | undefined,
): Promise<Reply> {
  const { services } = context;
  const [ready] = await services.restyle.prepare([picture], prepareOptions(context, 2));
  const kept = { ...args, blend: blendId, wasAnimated: args.wasAnimated || ready.wasAnimated };
  return stylePickerView(ready, kept, descriptionBySender(picture), services.restyle.styles);
}

/** Returns the asker, and the size limit of each picture if `count` of them must fit into one message. */
export function prepareOptions(
  { caller, where, fileLimitBytes }: RestyleContext,
  count: number,
): PrepareOptions {
  const by = { userId: caller.id, guildId: where.guildId };
  return { by, maxBytes: picturesLimit(fileLimitBytes, count) };
}

function requestOf(
  context: RestyleContext,
  { picture, messageId }: RestyleInput,
  count: number,
): Omit<RestyleRequest, "style" | "blend" | "intensity"> {
  return {
    ...prepareOptions(context, count),
    picture,
    messageId,
    onProgress: (state, workId) =>
      context.progress({ text: restyleProgressText(state), cancel: cancelTarget(workId) }),
  };
}

function viewOptions({ services }: RestyleContext, { picture, args }: RestyleInput, restyled: Restyled) {
  const visibility: Visibility = args.isPrivate ? "private" : "public";
  return {
    args: { ...args, wasAnimated: args.wasAnimated || restyled.wasAnimated },
    description: descriptionBySender(picture),
    styles: services.restyle.styles,
    visibility,
  };
}

export function newArgs(ownerId: string): RestyleArgs {
  return {
    style: undefined,
    blend: undefined,
    intensity: 100,
    isSpoiler: false,
    wasAnimated: false,
    isPrivate: false,
    ownerId,
  };
}

/** A press by the person who asked updates their message; anybody else gets a new reply. */
export const updateForOwner: ChooseAnswerMode<RestyleArgs> = ({ args, caller }) =>
  args.ownerId === caller.id ? "update" : "public";

/** Restyles the picture in one of the bot's messages again. Throws a UserError if it is gone. */
export function restyleAgain(
  context: RestyleContext & { readonly message?: MessageReference | undefined },
  args: RestyleArgs,
  role: PictureRole = "original",
): Promise<Reply> {
  return restylePicture(context, shownPicture(context, args, role));
}

export function restyleInChosen(
  context: RestyleContext,
  input: RestyleInput,
  chosen: readonly string[],
): Promise<Reply> {
  const [style] = chosen;
  return chosen.length > 1
    ? restyleInSeveral(context, input, chosen.slice(0, MAX_COMPARED))
    : restylePicture(context, { ...input, args: { ...input.args, style } });
}

/** Finds the picture in one of the bot's messages. Throws a UserError if it is gone. */
export function shownPicture(
  { message, caller }: Pick<RestyleContext, "caller"> & { readonly message?: MessageReference | undefined },
  args: RestyleArgs,
  role: PictureRole = "original",
): RestyleInput {
  const picture = findPicture(message?.media ?? [], role);
  if (!picture) {
    throw new UserError(
      "The picture is no longer in this message. Please attach it again with `/style`.",
      "outdated",
    );
  }
  return { picture, messageId: message?.id, args: { ...args, ownerId: caller.id } };
}

/** Shows one of several results as if it were the only one, without asking the service again. */
export async function keepOne(
  context: RestyleContext & { readonly message: MessageReference },
  args: RestyleArgs,
): Promise<Reply> {
  const { services } = context;
  const style = services.restyle.resolve(args.style ?? "");
  const input = shownPicture(context, args);
  const made = shownPicture(context, args, `restyled-${style.id}`);
  const restyled = await services.restyle.reopen(
    { before: input.picture, after: made.picture },
    { style, blend: undefined, intensity: args.intensity },
    prepareOptions(context, 2),
  );
  return restyledView(restyled, viewOptions(context, input, restyled));
}

/** Reads somebody's message again and returns a picture of it. Throws a UserError if it is gone. */
export async function sentPicture(
  {
    services,
    caller,
    message,
  }: Context<"restyle" | "personMessages"> & { readonly message?: MessageReference | undefined },
  args: RestyleArgs,
  { messageId, index }: SentPicture,
): Promise<RestyleInput> {
  const place = message && { channelId: message.channelId, messageId };
  const sent = place && (await services.personMessages.personMessage(place, args.ownerId));
  const picture = sent?.attachments.filter(isPictureName)[index];
  if (!message || !picture) {
    throw new UserError("The message with the picture is gone. Please send the picture again.", "outdated");
  }
  return {
    picture: { ...picture, description: picture.description },
    messageId: message.id,
    args: { ...args, ownerId: caller.id },
  };
}
