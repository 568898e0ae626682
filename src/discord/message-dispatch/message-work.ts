// Runs a command on a person's message: checks permissions, shows typing and progress, and replies.
import { Routes } from "discord.js";
import type { Clock } from "../../core/clock.ts";
import type { ComponentTarget } from "../../core/component-id.ts";
import { UserError } from "../../core/errors.ts";
import type { Log } from "../../core/log.ts";
import { type Reply, buttonTo, plainReply, textReply } from "../../core/reply.ts";
import { type Messenger, MessengerError, type PostedMessage } from "../../core/ports.ts";
import type { MessageReference } from "../define/context.ts";
import { type Answered, NOT_ALLOWED, noteAnswer, reportFailure } from "../explain-error.ts";
import type { HandlerDependencies } from "../dispatch/dispatch.ts";
import { createProgressReports } from "../dispatch/progress.ts";
import { DEFAULT_UPLOAD_LIMIT_BYTES } from "../interaction.ts";
import { isTimedOut } from "../guild-rights.ts";
import type { MessageHandler } from "../registry.ts";
import type { AuthorRights, Self, SentMessage } from "./message-event.ts";
import type { RateLimitedRest } from "../rate-limited-rest.ts";

const NO_FILES =
  "I can't show you the result: I'm not allowed to attach files in this channel. Please ask someone who manages it to give me the permission **Attach Files**.";

/** If the work takes longer, the bot shows that it is typing. */
const PROGRESS_AFTER_MS = 1_000;

export interface MessageWorkDependencies extends HandlerDependencies {
  readonly messenger: Pick<Messenger, "post" | "edit">;
  readonly rightsOf: (sent: SentMessage) => AuthorRights;
  readonly showTyping: (channelId: string) => Promise<void>;
}

/** Resolves to true when answered, or false if `skipsIfForbidden` and the person may not. Throws MessengerError. */
export function createMessageWork(deps: MessageWorkDependencies) {
  const { registry, services, messenger, commandPermissions, clock, log } = deps;

  return async (request: {
    readonly sent: SentMessage;
    readonly self: Self;
    readonly messageHandler: MessageHandler;
    readonly message: MessageReference;
    readonly answerNumber: number;
    readonly skipsIfForbidden: boolean;
  }): Promise<boolean> => {
    const { sent, self, messageHandler, message, answerNumber, skipsIfForbidden } = request;
    const startedAtMs = clock.elapsed();
    const answer = createMessageAnswer({ sent, messenger, log, answerNumber });
    const typing = createTyping(clock, () => void deps.showTyping(sent.channel_id));
    const progress = createProgressReports(clock, {
      afterMs: PROGRESS_AFTER_MS,
      begin: async () => typing.start(),
      show(...state) {
        typing.stop();
        return answer.show(...state);
      },
    });
    async function end(): Promise<void> {
      typing.stop();
      await progress.close();
    }
    const { author, guild_id, channel_id } = sent;
    const { permissions, channel } = deps.rightsOf(sent);
    const member = { ...(sent.member ?? { roles: [] }), user: author, permissions };
    const use = { application_id: self.applicationId, guild_id, channel_id, channel, member };
    let reply: Reply;
    const { path } = messageHandler.runnable;
    let answered: Answered = { task: `${path} (message)`, outcome: "answered" };
    try {
      if (isTimedOut(member, clock.now())) {
        throw new UserError(NOT_ALLOWED.timeout, "permission");
      }
      if (!(await commandPermissions.mayUse(use, messageHandler.runnable))) {
        if (skipsIfForbidden) {
          await end();
          return false;
        }
        throw new UserError(NOT_ALLOWED.permission, "permission");
      }
      reply = await messageHandler.handler.run({
        services,
        caller: { id: author.id, roles: member.roles },
        where: { guildId: guild_id, channelId: channel_id },
        fileLimitBytes: DEFAULT_UPLOAD_LIMIT_BYTES,
        progress: progress.report,
        usableCommands: () => commandPermissions.usableCommands(use, registry.commands),
        message,
      });
    } catch (error) {
      answered = { ...answered, outcome: error instanceof UserError ? "refused" : "failed", error };
      reply = textReply(reportFailure(log, error, path, deps.explain));
    }
    await end();
    await answer.send(reply);
    const milliseconds = clock.elapsed() - startedAtMs;
    noteAnswer(deps, answered, { guild: guild_id, user: author.id, channel: channel_id, milliseconds });
    return true;
  };
}

/** The answer to a person's message: one reply, which may show progress first. */
export function createMessageAnswer(deps: {
  readonly sent: Pick<SentMessage, "id" | "channel_id">;
  readonly messenger: Pick<Messenger, "post" | "edit">;
  readonly log: Log;
  /** If several commands answer the same message, the number of this answer, counted from 0 (default). */
  readonly answerNumber?: number;
}) {
  const { sent, messenger, log, answerNumber = 0 } = deps;
  let posted: PostedMessage | undefined;
  /** Whether a post failed that may have arrived anyway. */
  let isOutcomeUnknown = false;

  async function post(reply: Reply): Promise<PostedMessage> {
    // Discord creates only one message per nonce, so an event that the gateway repeats is answered once.
    const nonce = answerNumber === 0 ? `m:${sent.id}` : `m:${sent.id}:${answerNumber}`;
    const options = { nonce, silent: false, replyTo: sent.id };
    return messenger.post(sent.channel_id, reply, options);
  }

  async function deliver(reply: Reply): Promise<void> {
    if (!posted) {
      posted = await post(reply);
      if (!isOutcomeUnknown) {
        return;
      }
    }
    // If the outcome of an earlier post was unknown, Discord may have returned that message, which shows progress.
    await messenger.edit(posted, reply);
  }

  return {
    /** Shows progress in place of the answer. Never rejects. */
    async show(text: string, cancel?: ComponentTarget): Promise<void> {
      try {
        const state = plainReply([text, [cancel && buttonTo("Cancel", cancel, { emoji: "⏹️" })]]);
        if (posted) {
          await messenger.edit(posted, state);
        } else {
          posted = await post(state);
        }
      } catch (error) {
        isOutcomeUnknown = posted === undefined;
        log.warn({ error }, "progress not shown");
      }
    },
    /** Sends the answer, or a sentence if the bot may not attach its files. Throws MessengerError. */
    async send(reply: Reply): Promise<void> {
      try {
        await deliver(reply);
      } catch (error) {
        const isRefused = error instanceof MessengerError && error.problem === "not-allowed";
        if (!isRefused || (reply.files ?? []).length === 0) {
          throw error;
        }
        await deliver(textReply(NO_FILES));
      }
    },
  };
}

/** Discord shows that the bot is typing for ten seconds. */
const REPEAT_MS = 8_000;

/** Shows "Signalbox is typing…" from `start` to `stop`. `show` asks Discord once, and must not throw. */
function createTyping(clock: Clock, show: () => void) {
  let cancel: (() => void) | undefined;

  function start(): void {
    show();
    cancel = clock.after(REPEAT_MS, start);
  }

  return { start, stop: () => cancel?.() };
}

/** Asks Discord once to show that the bot is typing. Never rejects. */
export async function showTyping(limitedRest: RateLimitedRest, channelId: string, log: Log): Promise<void> {
  try {
    await limitedRest.ask({ urgency: "prompt", sizeBytes: 0, mayHaveArrived: false }, (rest) =>
      rest.post(Routes.channelTyping(channelId)),
    );
  } catch (error) {
    log.debug({ error, channel: channelId }, "typing not shown");
  }
}
