// Runs an interaction's handler: checks permissions, keeps Discord's deadline, shows progress, catches all errors.
import { SnowflakeUtil } from "discord.js";
import { LRUCache } from "lru-cache";
import { runFor } from "../../core/asker.ts";
import type { Clock } from "../../core/clock.ts";
import { UserError } from "../../core/errors.ts";
import type { Log } from "../../core/log.ts";
import type { Meter } from "../../core/meter.ts";
import type { AnswerMode } from "../define.ts";
import type { Answer, Context, Services } from "../define/context.ts";
import {
  type Interaction,
  type InteractionKey,
  type TaskInteraction,
  askerOf,
  callerOf,
  isUserInstall,
  parseInteraction,
  parseInteractionKey,
} from "../interaction.ts";
import { type CommandIds, SLASH } from "../directory.ts";
import { isTimedOut } from "../guild-rights.ts";
import type { Registry } from "../registry.ts";
import { type Answered, type Explain, NOT_ALLOWED, noteAnswer, reportFailure } from "../explain-error.ts";
import type { ReplySender } from "../reply-sender.ts";
import type { CommandPermissions } from "../command-permissions.ts";
import { type AutocompleteDependencies, complete } from "./autocomplete.ts";
import { type InteractionAnswer, createInteractionAnswer } from "./interaction-answer.ts";
import { type Task, findTask } from "./find-task.ts";
import { createProgressReports } from "./progress.ts";
import { createRetries } from "./retries.ts";
import { type ActionButton, type Reply, textReply } from "../../core/reply.ts";

/** After this time, Discord tells the person that the bot did not answer. */
const FIRST_ANSWER_LIMIT_MS = 3_000;
/** Half of that. An answer that is ready by then needs only one request. */
const DIRECT_ANSWER_MS = 1_500;

/** A resumed session may repeat events, so the ids of this many recent interactions are remembered. */
const REMEMBERED = 2_000;

/** Further interactions are refused immediately, so that memory stays bounded. */
const MAX_UNDER_WAY = 1_000;

/** Never rejects. `isLate`: Discord held it back while the bot was away, so a part of the time has already passed. */
export type Dispatch = (payload: unknown, isLate?: boolean) => Promise<void>;

export interface HandlerDependencies {
  readonly registry: Registry;
  readonly services: Services;
  readonly commandPermissions: CommandPermissions;
  /** Called when somebody uses the bot in a server that has installed it. */
  readonly noteUse: (guildId: string) => void;
  readonly explain: Explain;
  readonly clock: Clock;
  readonly log: Log;
  readonly meter: Meter;
}

interface DispatchDependencies extends HandlerDependencies, AutocompleteDependencies {
  readonly ownerIds: () => Promise<ReadonlySet<string>>;
  readonly ids: Pick<CommandIds, "note">;
  readonly replies: ReplySender;
}

export function createDispatch(deps: DispatchDependencies): Dispatch {
  const {
    registry,
    services,
    api,
    commandPermissions,
    admission,
    ownerIds,
    ids,
    replies,
    explain,
    clock,
    log,
  } = deps;

  const retries = createRetries(clock);
  const handled = new LRUCache<string, true>({ max: REMEMBERED });
  let underWay = 0;
  /** How far this process's elapsed time was ahead of Discord's clock at the last interaction that was not late. */
  let aheadMs = -Infinity;

  /**
   * How long ago Discord created a late interaction, by the clock that gives the shorter time, because the machine's may be
   * wrong. 0 for any other, from which the difference of the clocks is learnt.
   */
  function ageOf({ id }: Interaction, isLate: boolean): number {
    const createdAtMs = SnowflakeUtil.timestampFrom(id);
    if (!isLate) {
      aheadMs = clock.elapsed() - createdAtMs;
      return 0;
    }
    return Math.max(0, Math.min(clock.now(), clock.elapsed() - aheadMs) - createdAtMs);
  }

  const createAnswer = (interaction: InteractionKey, answerMode: AnswerMode): InteractionAnswer =>
    createInteractionAnswer({ interaction, answerMode, api, replies, log });

  async function answer(interaction: TaskInteraction, ageMs: number): Promise<Answered> {
    if (interaction.type === 2 && interaction.data.type === SLASH && interaction.data.id !== undefined) {
      ids.note(interaction.data.name, interaction.data.id);
    }
    let task: Task;
    let asked: typeof interaction;
    let isRetry: boolean;
    try {
      if (underWay > MAX_UNDER_WAY) {
        throw new UserError("I'm very busy right now. Please try again in a moment.", "busy");
      }
      const refusal = admission.refusal(interaction);
      if (refusal !== undefined) {
        throw new UserError(refusal, "not-allowed-here");
      }
      if (interaction.member && isTimedOut(interaction.member, clock.now())) {
        throw new UserError(NOT_ALLOWED.timeout, "permission");
      }
      const form = retries.readForm(interaction);
      if (form) {
        await createAnswer(interaction, "private").send(form);
        return { task: "retry:fix", outcome: "answered" };
      }
      const read = retries.read(interaction);
      ({ asked, isRetry } = read);
      task = findTask(asked, registry, read.seenVersion);
    } catch (error) {
      return fail(createAnswer(interaction, "private"), error, "?");
    }
    // On a retry, an answer for the caller alone replaces the error message.
    const answerMode = isRetry && task.answerMode !== "public" ? "update" : task.answerMode;
    const interactionAnswer = createAnswer(interaction, answerMode);
    const progress = createProgressReports(clock, {
      afterMs: Math.max(0, DIRECT_ANSWER_MS - ageMs),
      // If this fails, the answer itself notices and logs it.
      begin: interactionAnswer.defer,
      show: interactionAnswer.show,
    });
    try {
      const made = await run(
        task,
        { asked, isRetry },
        {
          services,
          caller: callerOf(interaction),
          where: { guildId: askerOf(interaction).guildId, channelId: interaction.channel_id },
          fileLimitBytes: interaction.attachment_size_limit,
          progress: progress.report,
          usableCommands: () => commandPermissions.usableCommands(interaction, registry.commands),
        },
      );
      await progress.close();
      if ("type" in made && made.type === "modal") {
        retries.noteForm(asked, made);
      }
      await interactionAnswer.send(made);
      const choices = task.choices?.(services) ?? [];
      if (choices.length > 0) {
        void deps.recent.note(callerOf(interaction).id, choices);
      }
      return { task: task.name, outcome: "answered" };
    } catch (error) {
      await progress.close();
      const shown = isRetry
        ? { fail: (failure: Reply) => interactionAnswer.send(failure) }
        : interactionAnswer;
      return fail(shown, error, task.name, retries.offer(asked, error));
    }
  }

  async function run(
    task: Task,
    { asked, isRetry }: { readonly asked: Interaction; readonly isRetry: boolean },
    context: Context<keyof Services>,
  ): Promise<Answer> {
    const { guild_id: guildId } = asked;
    const { commandFile, isForAnyone } = task;
    if (commandFile.ownerOnly && (guildId !== undefined || !(await ownerIds()).has(context.caller.id))) {
      throw new UserError(NOT_ALLOWED.ownerOnly, "permission");
    }
    // Discord has checked the permission for a command or a menu, but not for a retry.
    const isChecked = asked.type === 2 && !isRetry;
    if (!isChecked && !isForAnyone && !(await commandPermissions.mayUse(asked, commandFile))) {
      throw new UserError(NOT_ALLOWED.permission, "permission");
    }
    if (guildId !== undefined && !isUserInstall(asked)) {
      deps.noteUse(guildId);
    }
    return task.run(context);
  }

  async function fail(
    interactionAnswer: Pick<InteractionAnswer, "fail">,
    error: unknown,
    task: string,
    buttons: readonly ActionButton[] = [],
  ): Promise<Answered> {
    const sentence = reportFailure(log, error, task, explain);
    try {
      await interactionAnswer.fail(textReply(sentence, "private", buttons));
      return { task, outcome: error instanceof UserError ? "refused" : "failed", error };
    } catch (failure) {
      log.error({ error: failure, task }, "failure not shown");
      return { task, outcome: "failed", error };
    }
  }

  return async (payload, isLate = false) => {
    let interaction: Interaction;
    try {
      interaction = parseInteraction(payload);
    } catch (error) {
      const key = parseInteractionKey(payload);
      if (key === undefined) {
        log.error({ error }, "interaction of unknown shape ignored");
      } else {
        const trace = { id: key.id, sinceMs: clock.elapsed() };
        await runFor(undefined, () => fail(createAnswer(key, "private"), error, "an unknown shape"), trace);
      }
      return;
    }
    if (handled.has(interaction.id)) {
      log.info({ interaction: interaction.id }, "repeated interaction ignored");
      return;
    }
    handled.set(interaction.id, true);
    const ageMs = ageOf(interaction, isLate);
    if (ageMs >= FIRST_ANSWER_LIMIT_MS) {
      // Discord has told the person that the bot did not answer, and they may have tried again.
      log.warn({ interaction: interaction.id }, "interaction came too late");
      return;
    }
    underWay += 1;
    const sinceMs = clock.elapsed();
    const handle = async (): Promise<void> => {
      if (interaction.type === 4) {
        await complete(interaction, deps);
        return;
      }
      noteAnswer(deps, await answer(interaction, ageMs), {
        guild: interaction.guild_id,
        user: callerOf(interaction).id,
        channel: interaction.channel_id,
        milliseconds: clock.elapsed() - sinceMs,
      });
    };
    try {
      await runFor(askerOf(interaction), handle, { id: interaction.id, sinceMs });
    } finally {
      underWay -= 1;
    }
  };
}
