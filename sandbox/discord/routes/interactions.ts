// Answers to an interaction: the first, and by its token what follows, @original and further messages.
import { MessageFlags } from "discord-api-types/v10";
import { z } from "zod";
import type { Interaction, Message } from "../entities.ts";
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
  messageUnder,
  wrongCallback,
} from "../rules/interactions.ts";
import { editMessage } from "../rules/messages.ts";
import { formatMessage } from "../serialise/message.ts";
import { parseChoices } from "../validate/options.ts";
import { parseMessageForm } from "../validate/message.ts";
import { parseModal } from "../validate/modal.ts";
import { parseForm } from "../validate/problems.ts";
import { createRoutes, noContent, type RequestBody, type RouteContext, type Routes } from "./environment.ts";

const callbackForm = z.object({ type: z.int(), data: z.unknown().optional() });

/** Which callbacks answer which kind of interaction; 6 and 7 need a message under the component as well. */
const CALLBACKS: Readonly<Record<number, readonly number[]>> = {
  2: [4, 5, 9],
  3: [4, 5, 6, 7, 9],
  4: [8],
  5: [4, 5, 6, 7],
};

export function interactionRoutes(platform: Platform): Routes {
  const routes = createRoutes();
  routes.post("/interactions/:interaction/:token/callback", (context) => {
    const { interaction: id, token } = context.req.param();
    const { body } = context.var;
    const form = parseForm(callbackForm, body.json);
    const interaction = interactionToAnswer(platform, id, token);
    if (!CALLBACKS[interaction.kind]?.includes(form.type)) {
      throw wrongCallback();
    }
    const message = answer(platform, interaction, form.type, { json: form.data, files: body.files });
    acknowledge(platform, interaction, form.type);
    tellWhenSent(platform, context, interaction);
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
        ...(message === undefined || form.type === 6 ? {} : { message: formatMessage(platform, message) }),
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
      tellWhenSent(platform, context, interaction);
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
      tellWhenSent(platform, context, interaction);
      return context.json(formatMessage(platform, edited));
    })
    .delete(`${base}/messages/:message`, (context) => {
      const interaction = interactionIn(context);
      deleteAnswer(platform, interaction, findMessage(platform, interaction, context.req.param("message")));
      tellWhenSent(platform, context, interaction);
      return noContent(context);
    });
}

/**
 * Tells that an interaction went on as soon as this request's answer has left, or could not: by then its record is
 * whole.
 */
function tellWhenSent(platform: Platform, context: RouteContext, interaction: Interaction): void {
  const { outgoing } = context.env;
  let isTold = false;
  const tell = () => {
    if (!isTold) {
      isTold = true;
      platform.changes.emit({ type: "interaction-changed", interaction });
    }
  };
  outgoing.once("finish", tell).once("close", tell);
  // Members see what was applied, also where a fault holds its answer back from the bot.
  if (context.var.record?.fault === "hang-after") {
    setImmediate(tell);
  }
}

/** Applies an answer; nothing is applied where it throws. */
function answer(
  platform: Platform,
  interaction: Interaction,
  type: number,
  data: RequestBody,
): Message | undefined {
  switch (type) {
    case 4:
      return problemsUnder("data", () => answerWithMessage(platform, interaction, requestOf(data)));
    case 5:
      return answerWithThinking(platform, interaction, isDeferPrivate(data.json));
    case 6:
    case 7: {
      const message = messageUnder(platform, interaction);
      interaction.originalMessageId = message.id;
      return type === 6
        ? message
        : problemsUnder("data", () => editMessage(platform, message, requestOf(data)));
    }
    case 8:
      interaction.choices = parseChoices(data.json, interaction.focusedType);
      return undefined;
    default:
      interaction.modal = parseModal(data.json);
      return undefined;
  }
}

function requestOf({ json, files }: RequestBody) {
  return { form: parseMessageForm(json ?? {}), files };
}

/** A defer carries EPHEMERAL and nothing else. */
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
