// What follows the first answer: @original and further messages, by the interaction's token.
import type { Platform } from "../platform.ts";
import {
  deleteAnswer,
  editAnswer,
  findMessage,
  followUp,
  interactionOfToken,
} from "../rules/interactions.ts";
import type { MessageRequest } from "../rules/messages.ts";
import { formatMessage } from "../serialise/message.ts";
import { parseMessageForm } from "../validate/message.ts";
import { createRoutes, noContent, type RouteContext, type Routes } from "./environment.ts";
import { tellWhenSent } from "./tell-when-sent.ts";

export function webhookRoutes(platform: Platform): Routes {
  const base = "/webhooks/:application/:token";
  const interactionIn = (context: RouteContext) =>
    interactionOfToken(platform, context.req.param("application") ?? "", context.req.param("token") ?? "");
  return createRoutes()
    .post(base, (context) => {
      const interaction = interactionIn(context);
      const message = followUp(platform, interaction, requestIn(context));
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
      const edited = editAnswer(platform, interaction, message, requestIn(context));
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

function requestIn({ var: { body } }: RouteContext): MessageRequest {
  return { form: parseMessageForm(body.json ?? {}), files: body.files };
}
