// An incident's message is posted once and then edited. A message that makes a sound again replaces the one
// before, which is deleted. A message that somebody else deleted is not posted again.
import type { PostedMessage } from "../core/ports.ts";
import {
  type Deliver,
  type DeliveryEnd,
  type RetryLater,
  retryLater,
  formatNonce,
} from "../delivery/deliver.ts";
import { isTransient, catchMessengerError } from "../delivery/messenger-errors.ts";
import { BARRED_RETRY_MS, isTimedOutBriefly, pauseWithNotice } from "../delivery/pause.ts";
import type { Claim, Claims } from "../delivery/runner.ts";
import type { Decision } from "./decide-incident.ts";
import type { IncidentChanges } from "./incidents-table.ts";
import { lastMessage, serialiseKnowledge, withAlarms, withoutMessage } from "./train-knowledge.ts";
import { findIncidentMark } from "./watch-args.ts";
import type { WatchDay } from "./watch-days.ts";
import { watchNoticeView } from "./watch-list-view.ts";
import type { WatchRunnerDependencies } from "./watch-runner.ts";
import type { Watch, WatchPauseReason } from "./watches.ts";

/** Its key is the incident's. */
export interface ClaimedDay extends Claim {
  readonly day: WatchDay;
  readonly decision: Decision;
  readonly atMs: number;
  /** The revision of the row as this process last saw it; `undefined` if there was no row. */
  revision: number | undefined;
}

/** Throws only bugs and database errors; the claim then expires. */
export function createDeliverIncident(
  { incidents, messenger, log }: WatchRunnerDependencies,
  deliver: Deliver,
  claims: Claims<ClaimedDay>,
  pause: PauseWatch,
): (claimed: ClaimedDay) => Promise<void> {
  async function changesAfter(
    { day: { watch, row }, decision: { action, knowledge } }: ClaimedDay,
    end: DeliveryEnd,
  ): Promise<IncidentChanges> {
    const release = { claimForMs: undefined, postingSinceMs: undefined };
    const unsentChanges = {
      postingSinceMs: undefined,
      ...(action.kind !== "edit" && {
        // If the message was to replace another, the row is restored, so its first trouble is still the first.
        knowledge:
          row?.messageId === undefined || row.postingSinceMs !== undefined
            ? serialiseKnowledge(withoutMessage(knowledge))
            : row.knowledge,
      }),
    };
    switch (end.end) {
      case "sent": {
        const { channelId, messageId } = end.message;
        return {
          ...release,
          channelId,
          messageId,
          shownHash: end.hash,
          // The row has the alarms of the first attempt, but this may be a later one.
          ...(end.how === "posted" &&
            action.kind === "post" && {
              knowledge: serialiseKnowledge(withAlarms(knowledge, action.alarms)),
            }),
        };
      }
      case "unchanged":
        return { ...unsentChanges, ...release };
      case "gone":
        // The message that should have been replaced stays and is edited from now on. The news counts as reported.
        if (action.kind !== "edit" && row?.messageId !== undefined) {
          return release;
        }
        return {
          ...release,
          channelId: undefined,
          messageId: undefined,
          knowledge: serialiseKnowledge({ ...knowledge, isUnwanted: true }),
        };
      case "later":
        return { claimForMs: end.waitMs, ...(end.isUnsent && unsentChanges) };
      case "stopped": {
        const isUnsent = row?.postingSinceMs === undefined;
        const waiting = await pause(watch, end.because, isUnsent);
        return { claimForMs: waiting?.waitMs, ...(isUnsent && unsentChanges) };
      }
    }
  }

  /** `false` if the deletion has to be retried. */
  async function deleteReplaced(watchId: string, replaced: PostedMessage): Promise<boolean> {
    const error = await catchMessengerError(() => messenger.delete(replaced));
    if (error !== undefined) {
      log.warn({ error, watch: watchId, message: replaced.messageId }, "replaced message not deleted");
    }
    return error === undefined || !isTransient(error);
  }

  return async (claimed) => {
    const { watch, window, row } = claimed.day;
    const { action, knowledge } = claimed.decision;
    const { ownerId, id, settings } = watch;
    const { channelId, messageId } = row ?? {};
    const current = channelId === undefined || messageId === undefined ? undefined : { channelId, messageId };
    const messageNumber = lastMessage(knowledge);
    const end = await deliver<never>({
      logFields: { watch: id },
      place: watch.channelId === undefined ? { userId: ownerId } : { channelId: watch.channelId },
      message: action.kind === "edit" ? current : undefined,
      shownHash: row?.shownHash,
      sinceMs: row?.postingSinceMs,
      // After a restore, there may be a later message than the row knows.
      isThisMessage(componentIds) {
        const mark = findIncidentMark(componentIds);
        return mark?.watchId === id && mark.day === window.day && mark.message >= messageNumber;
      },
      render: () =>
        action.kind === "edit" || action.kind === "post"
          ? { hash: action.presented.hash, reply: async () => action.presented.reply }
          : undefined,
      isSafe: () => claims.isSafe(claimed),
      repostIfDeleted: false,
      nonce: formatNonce("incident", id, window.day, ...(messageNumber === 0 ? [] : [messageNumber])),
      silent: !settings.ping,
      ping: settings.ping ? [ownerId] : [],
    });
    const isReplaced = current !== undefined && end.end === "sent" && end.message.messageId !== messageId;
    const isDone = !isReplaced || (await deleteReplaced(id, current));
    const changes = await changesAfter(claimed, isDone ? end : retryLater(false));
    await claims.record(claimed, () =>
      incidents.finish({ watchId: id, day: window.day, revision: claimed.revision ?? 0 }, changes),
    );
  };
}

type PauseWatch = ReturnType<typeof createPauseWatch>;

/**
 * Pauses a watch after one notice. The function returns when to retry if Discord is unavailable, the server is gone or
 * the bot's timeout ends soon.
 */
export function createPauseWatch({ watches, messenger, stations, clock, log }: WatchRunnerDependencies) {
  return (watch: Watch, because: WatchPauseReason, isUnsent: boolean): Promise<RetryLater | undefined> => {
    const { id, ownerId, guildId, channelId, stateAtMs, settings } = watch;
    const options = {
      // The same at every attempt.
      nonce: formatNonce("watch-paused", id, stateAtMs),
      silent: !settings.ping,
      ping: settings.ping ? [ownerId] : [],
    };
    return pauseWithNotice({ log, logFields: { watch: id }, isUnsent }, async () => {
      const mayHaveLeft = because !== "station-closed" && guildId !== undefined;
      if (mayHaveLeft && (await messenger.guildName(guildId)) === undefined) {
        // As for boards: if the bot is back soon, the watch continues.
        return retryLater(isUnsent, BARRED_RETRY_MS);
      }
      const isRefused = because === "not-allowed" && channelId !== undefined;
      if (isRefused && (await isTimedOutBriefly(messenger, channelId, clock))) {
        return retryLater(isUnsent, BARRED_RETRY_MS);
      }
      return {
        ways: [
          async () => {
            // By DM, or in the channel of the request if DMs are closed.
            const noticeId =
              because === "dm-closed" ? watch.askedChannelId : await messenger.conversation(ownerId);
            const paused = watchNoticeView({ ...watch, state: "paused", pausedBecause: because }, stations);
            return noticeId && messenger.post(noticeId, paused, options);
          },
        ],
        async pause() {
          const stopped = { state: "paused", pausedBecause: because, stateAtMs: clock.now() } as const;
          await watches.changeState(id, ["active"], stopped);
          log.info({ watch: id, because }, "watch paused");
        },
      };
    });
  };
}
