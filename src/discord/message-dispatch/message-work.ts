// Has a command work on a person's message: checks who may, shows that and how far it works, and answers in reply.
import { Routes } from "discord.js";
import type { Clock } from "../../core/clock.ts";
import { UserError } from "../../core/errors.ts";
import type { Log } from "../../core/log.ts";
import type { AnswerOutcome, Meter } from "../../core/meter.ts";
import { type Reply, textReply } from "../../core/reply.ts";
import type { Messenger, PostedMessage } from "../../core/ports.ts";
import type { Services } from "../define/services.ts";
import type { Runnable } from "../command.ts";
import type { Context } from "../define/context.ts";
import type { MessageReference } from "../define/message.ts";
import { type Explain, notForEveryone, reportFailure } from "../explain-error.ts";
import { createProgressReports } from "../dispatch/first-answer.ts";
import { DEFAULT_UPLOAD_LIMIT_BYTES } from "../interaction.ts";
import type { MessageHandler } from "../registry.ts";
import type { WhoMay } from "../who-may.ts";
import type { Self, SentMessage } from "./message-event.ts";
import type { RateLimitedRest } from "../rate-limited-rest.ts";

/** What takes longer says so. */
const AT_ONCE_MS = 1_000;
/** Messages do not say what language their author's client speaks. */
const LOCALE = "en-GB";

export interface MessageWorkDeps {
  readonly services: Services;
  readonly messenger: Pick<Messenger, "post" | "edit">;
  readonly whoMay: WhoMay;
  /** What a message's author may do in its channel, as Discord writes permissions. */
  readonly rightsOf: (sent: SentMessage) => string;
  /** Shows once that the bot is typing. Never rejects. */
  readonly showTyping: (channelId: string) => Promise<void>;
  /** What features say of their own failures. */
  readonly explain: Explain;
  readonly clock: Clock;
  readonly log: Log;
  readonly meter: Meter;
}

/** Settles when the message is answered; throws MessengerError where that fails. */
export type MessageWork = (task: {
  readonly sent: SentMessage;
  readonly self: Self;
  readonly messageHandler: MessageHandler;
  /** The same message, as commands see it. */
  readonly message: MessageReference;
}) => Promise<void>;

export function createMessageWork(deps: MessageWorkDeps): MessageWork {
  const { services, messenger, whoMay, clock, log, meter } = deps;

  /** Throws a UserError for a person whom the server does not let use the command. */
  async function refuseOthers(sent: SentMessage, { applicationId }: Self, runnable: Runnable): Promise<void> {
    const { author, guild_id, member } = sent;
    const use = {
      application_id: applicationId,
      guild_id,
      member: { user: author, permissions: deps.rightsOf(sent), roles: member?.roles ?? [] },
    };
    if (!(await whoMay.mayUse(use, runnable))) {
      throw notForEveryone();
    }
  }

  return async ({ sent, self, messageHandler, message }) => {
    const startedAtMs = clock.elapsed();
    const given = createMessageAnswer({ sent, messenger, log });
    const typing = createTyping(clock, () => void deps.showTyping(sent.channel_id));
    const progress = createProgressReports(clock, (text) => {
      typing.stop();
      return given.show(text);
    });
    const cancel = clock.after(AT_ONCE_MS, () => {
      typing.start();
      progress.open();
    });
    const context = { ...createContext(sent, services, progress.report), message };
    let made: Reply;
    let outcome: AnswerOutcome = "answered";
    try {
      await refuseOthers(sent, self, messageHandler.runnable);
      made = await messageHandler.handler.run(context);
    } catch (error) {
      outcome = error instanceof UserError ? "refused" : "failed";
      made = textReply(reportFailure(log, error, messageHandler.runnable.path, deps.explain));
    }
    cancel();
    typing.stop();
    await progress.close();
    await given.send(made);
    meter.answered(`${messageHandler.runnable.path} (message)`, outcome, clock.elapsed() - startedAtMs);
  };
}

function createContext(
  { author, member, guild_id: guildId, channel_id: channelId }: SentMessage,
  services: Services,
  progress: Context<keyof Services>["progress"],
): Context<keyof Services> {
  return {
    services,
    caller: {
      id: author.id,
      name: author.global_name ?? author.username,
      roles: member?.roles ?? [],
      locale: LOCALE,
    },
    where: { guildId, channelId },
    fileLimitBytes: DEFAULT_UPLOAD_LIMIT_BYTES,
    progress,
  };
}

// The answer to a person's message: one message of the bot's own in reply to it, in which states may stand before.

export interface MessageAnswer {
  /** Shows a state in place of the answer to come. Never rejects. */
  readonly show: (text: string) => Promise<void>;
  /** Puts the answer. Throws MessengerError. */
  readonly send: (reply: Reply) => Promise<void>;
}

export function createMessageAnswer({
  sent,
  messenger,
  log,
}: {
  readonly sent: Pick<SentMessage, "id" | "channel_id">;
  readonly messenger: Pick<Messenger, "post" | "edit">;
  readonly log: Log;
}): MessageAnswer {
  let standing: PostedMessage | undefined;
  /** A post failed, and may have come through all the same. */
  let inDoubt = false;

  async function post(reply: Reply): Promise<PostedMessage> {
    // Discord makes one message of one nonce: an event that the gateway tells again is answered once.
    const options = { nonce: `m:${sent.id}`, silent: false, replyTo: sent.id };
    return messenger.post(sent.channel_id, reply, options);
  }

  return {
    async show(text) {
      try {
        const state = textReply(text);
        if (standing) {
          await messenger.edit(standing, state);
        } else {
          standing = await post(state);
        }
      } catch (error) {
        inDoubt = standing === undefined;
        log.warn({ error, message: sent.id }, "progress could not be shown");
      }
    },
    async send(reply) {
      if (!standing) {
        standing = await post(reply);
        if (!inDoubt) {
          return;
        }
      }
      // In doubt it is the message with the state that Discord has given back.
      await messenger.edit(standing, reply);
    },
  };
}

// "Signalbox is typing…", for as long as something is being worked on.

export interface Typing {
  /** Shows it until it is stopped. */
  readonly start: () => void;
  readonly stop: () => void;
}

/** Discord shows it for ten seconds. */
const REPEAT_MS = 8_000;

/** `show` asks Discord once; what it throws is its own affair. */
function createTyping(clock: Clock, show: () => void): Typing {
  let cancel: (() => void) | undefined;

  function start(): void {
    show();
    cancel = clock.after(REPEAT_MS, start);
  }

  return { start, stop: () => cancel?.() };
}

/** Asks Discord once. Never rejects: nobody misses it. */
export async function showTyping(limitedRest: RateLimitedRest, channelId: string, log: Log): Promise<void> {
  try {
    await limitedRest.ask({ urgency: "prompt", sizeBytes: 0, firstSentMs: undefined }, (rest) =>
      rest.post(Routes.channelTyping(channelId)),
    );
  } catch (error) {
    log.debug({ error, channel: channelId }, "typing could not be shown");
  }
}
