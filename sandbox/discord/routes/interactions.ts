// Routes for answers to an interaction: the callback first, then @original and follow-ups by the interaction's token.
import { InteractionResponseType, InteractionType, MessageFlags } from "discord-api-types/v10";
import { z } from "zod";
import type { Interaction, InteractionKind, Message } from "../entities.ts";
import { invalidForm, problemsUnder } from "../errors.ts";
import type { Platform } from "../platform.ts";
import {
  acknowledge,
  answerWithMessage,
  answerWithThinking,
  deleteAnswer,
  editAnswer,
  findMessage,
  followUp,
  interactionOfToken,
  interactionToAnswer,
  messageOfComponent,
  wrongCallback,
} from "../rules/interactions.ts";
import { editMessage } from "../rules/messages.ts";
import { formatMessage } from "../serialise/message.ts";
import { parseChoices } from "../validate/options.ts";
import { parseMessageForm } from "../validate/message.ts";
import { parseModal } from "../validate/modal.ts";
import { parseForm } from "../validate/problems.ts";
import { createRoutes, noContent, type RequestBody, type RouteContext, type Routes } from "./environment.ts";

const {
  ApplicationCommandAutocompleteResult,
  ChannelMessageWithSource,
  DeferredChannelMessageWithSource,
  DeferredMessageUpdate,
  Modal,
  UpdateMessage,
} = InteractionResponseType;
const MESSAGES = [ChannelMessageWithSource, DeferredChannelMessageWithSource] as const;
const UPDATES = [DeferredMessageUpdate, UpdateMessage] as const;

const callbackForm = z.object({
  type: z.literal([...MESSAGES, ...UPDATES, ApplicationCommandAutocompleteResult, Modal]),
  data: z.unknown().optional(),
});
type CallbackKind = z.output<typeof callbackForm>["type"];

/** The callbacks that each kind of interaction allows. An update also needs a component that is on a message. */
const CALLBACKS: Readonly<Record<InteractionKind, readonly CallbackKind[]>> = {
  [InteractionType.ApplicationCommand]: [...MESSAGES, Modal],
  [InteractionType.MessageComponent]: [...MESSAGES, ...UPDATES, Modal],
  [InteractionType.ApplicationCommandAutocomplete]: [ApplicationCommandAutocompleteResult],
  [InteractionType.ModalSubmit]: [...MESSAGES, ...UPDATES],
};

export function interactionRoutes(platform: Platform): Routes {
  const routes = createRoutes();
  routes.post("/interactions/:interaction/:token/callback", (context) => {
    const { interaction: id, token } = context.req.param();
    const { body } = context.var;
    const form = parseForm(callbackForm, body.json);
    const interaction = interactionToAnswer(platform, id, token);
    if (!CALLBACKS[interaction.kind].includes(form.type)) {
      throw wrongCallback();
    }
    const message = answer(platform, interaction, form.type, { json: form.data, files: body.files });
    acknowledge(platform, interaction, form.type);
    emitWhenSent(platform, context, interaction);
    if (context.req.query("with_response") !== "true") {
      return noContent(context);
    }
    return context.json({
      interaction: {
        id: interaction.id,
        type: interaction.kind,
        ...(message === undefined ? {} : { response_message_id: message.id }),
        response_message_loading: interaction.isLoading,
        response_message_ephemeral: message?.visibleTo !== undefined,
      },
      resource: {
        type: form.type,
        ...(message === undefined || form.type === DeferredMessageUpdate
          ? {}
          : { message: formatMessage(platform, message) }),
      },
    });
  });

  const base = "/webhooks/:application/:token";
  const interactionIn = (context: RouteContext) =>
    interactionOfToken(platform, context.req.param("application") ?? "", context.req.param("token") ?? "");
  return routes
    .post(base, (context) => {
      const interaction = interactionIn(context);
      const message = followUp(platform, interaction, requestOf(context.var.body));
      emitWhenSent(platform, context, interaction);
      return context.json(formatMessage(platform, message));
    })
    .get(`${base}/messages/:message`, (context) => {
      const message = findMessage(platform, interactionIn(context), context.req.param("message"));
      return context.json(formatMessage(platform, message));
    })
    .patch(`${base}/messages/:message`, (context) => {
      const interaction = interactionIn(context);
      const message = findMessage(platform, interaction, context.req.param("message"));
      const edited = editAnswer(platform, interaction, message, requestOf(context.var.body));
      emitWhenSent(platform, context, interaction);
      return context.json(formatMessage(platform, edited));
    })
    .delete(`${base}/messages/:message`, (context) => {
      const interaction = interactionIn(context);
      deleteAnswer(platform, interaction, findMessage(platform, interaction, context.req.param("message")));
      emitWhenSent(platform, context, interaction);
      return noContent(context);
    });
}

/**
 * Emits the change of an interaction once this request's answer was sent, or could not be sent. By then, the request's
 * record is complete.
 */
function emitWhenSent(platform: Platform, context: RouteContext, interaction: Interaction): void {
  const { outgoing } = context.env;
  let isEmitted = false;
  const emit = () => {
    if (!isEmitted) {
      isEmitted = true;
      platform.changes.emit({ type: "interaction-changed", interaction });
    }
  };
  outgoing.once("finish", emit).once("close", emit);
  // Members see the change even while a fault withholds the answer from the bot.
  if (context.var.record?.fault === "hang-after") {
    setImmediate(emit);
  }
}

/** Applies an answer. If it throws, it has applied nothing. */
function answer(
  platform: Platform,
  interaction: Interaction,
  type: CallbackKind,
  data: RequestBody,
): Message | undefined {
  switch (type) {
    case ChannelMessageWithSource:
      return problemsUnder("data", () => answerWithMessage(platform, interaction, requestOf(data)));
    case DeferredChannelMessageWithSource:
      return answerWithThinking(platform, interaction, isDeferPrivate(data.json));
    case DeferredMessageUpdate:
    case UpdateMessage: {
      const message = messageOfComponent(platform, interaction);
      interaction.originalMessageId = message.id;
      return type === DeferredMessageUpdate
        ? message
        : problemsUnder("data", () => editMessage(platform, message, requestOf(data)));
    }
    case ApplicationCommandAutocompleteResult:
      interaction.choices = parseChoices(data.json, interaction.focusedType);
      return undefined;
    case Modal:
      interaction.modal = parseModal(data.json);
      return undefined;
  }
}

function requestOf({ json, files }: RequestBody) {
  return { form: parseMessageForm(json ?? {}), files };
}

/** Whether a deferred answer is ephemeral. Throws 50035 if it has any other flag. */
function isDeferPrivate(data: unknown): boolean {
  const { flags } = parseForm(z.object({ flags: z.int().nonnegative().nullish() }), data ?? {});
  if (((flags ?? 0) & ~MessageFlags.Ephemeral) !== 0) {
    throw invalidForm([
      {
        path: ["data", "flags"],
        code: "INTERACTION_DEFER_FLAGS_INVALID",
        message: "A deferred answer may only carry the EPHEMERAL flag.",
      },
    ]);
  }
  return ((flags ?? 0) & MessageFlags.Ephemeral) !== 0;
}
