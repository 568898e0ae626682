// A board's card for moderators, the notice when the bot pauses it, and the last seven days of a server's boards.
import { joinDots, joinLines, plural, upperFirst } from "../core/text.ts";
import { type Reply, buttonTo, escapeMarkdown, privateCard, textReply, card } from "../core/reply.ts";
import { pageArgs } from "../core/pages.ts";
import { relativeTime } from "../time/words.ts";
import { formatSchedule } from "../time/schedule.ts";
import { wallTime } from "../time/wall-clock.ts";
import {
  PAUSE_WORDS,
  type StationNames,
  boardName,
  settingsDetails,
  slotSentence,
} from "./board-settings-words.ts";
import { boardManageButton, stateWords } from "./board-list-view.ts";
import { SETTING_LABELS, type Subscription, type PauseReason } from "./boards.ts";
import type { Boards } from "./manage-boards.ts";
import { type SlotOutcome, readHistory } from "./slot-history.ts";

/** `done`: what has just been done with the board. `shownIn`: where the card is shown. */
export function boardCardView(
  board: Subscription,
  stations: StationNames,
  shownIn: { readonly channelId: string | undefined },
  done?: string,
): Reply {
  const { id, state, settings, channelId, createdBy, lastSentMs } = board;
  const isPaused = state === "paused";
  const details = settingsDetails(settings, stations, escapeMarkdown);
  const lines = historyLines(board);
  return privateCard([
    done,
    joinLines(
      `### ${escapeMarkdown(boardName(settings, stations))}`,
      `In <#${channelId}>, ${formatSchedule(settings.schedule)}. ${SETTING_LABELS.mode[settings.mode]}.`,
      `${upperFirst(stateWords(board))}.`,
      lastSentMs !== undefined && `**Last shown** ${relativeTime(lastSentMs)}`,
      `-# ${upperFirst(joinDots(...details, createdBy !== undefined && `by <@${createdBy}>`))}`,
      "-# To change anything else, such as the channel, the mode or the number of trains, use `/board edit`.",
    ),
    joinLines(lines.length > 0 && "**Recent updates**", ...lines),
    [
      boardManageButton("preview", id),
      isPaused ? boardManageButton("resume", id) : boardManageButton("pause", id),
      channelId !== shownIn.channelId &&
        boardManageButton("move", id, isPaused ? "Resume here" : "Move here"),
    ],
    [boardManageButton("edit", id), boardManageButton("filters", id), boardManageButton("ask", id)],
  ]);
}

export function confirmRemoveView(board: Subscription, stations: StationNames): Reply {
  const message = board.settings.mode === "post" ? "" : " Its message will be deleted too.";
  return textReply(
    `Remove **${escapeMarkdown(boardName(board.settings, stations))}** from <#${board.channelId}>?${message} You can undo this for an hour.`,
    "private",
    [boardManageButton("remove", board.id), boardManageButton("card", board.id, "Keep it")],
  );
}

export function removedView(board: Subscription, stations: StationNames): Reply {
  return textReply(
    `Removed **${escapeMarkdown(boardName(board.settings, stations))}** from <#${board.channelId}>. You can undo this for an hour.`,
    "private",
    [boardManageButton("bringBack", board.id)],
  );
}

const OUTCOME_WORDS: Readonly<Record<SlotOutcome, string>> = {
  shown: "shown",
  spent: "shown with older train times, because I had no requests left",
  failed: "shown with older train times, because I couldn't get newer ones",
  away: "missed, because I was offline",
  discord: "missed, because Discord didn't accept the message",
  late: "missed, because the train times arrived too late",
  paused: "paused",
  "channel-gone": `paused, because ${PAUSE_WORDS["channel-gone"]}`,
  "not-allowed": `paused, because ${PAUSE_WORDS["not-allowed"]}`,
  "station-closed": `paused, because ${PAUSE_WORDS["station-closed"]}`,
};

/** Newest first, e.g. `Mon 23 Nov, 07:00–07:20 · 5 × missed, because I was offline`. */
function historyLines({ history, settings }: Subscription): readonly string[] {
  const { zone } = settings.schedule;
  return readHistory(history)
    .runs.toReversed()
    .map(([outcome, fromMs, toMs, count]) => {
      const [from, to] = [wallTime(zone, fromMs), wallTime(zone, toMs)];
      const isOneMinute = toMs - fromMs < 60_000 && from.time === to.time;
      const until = isOneMinute ? "" : from.day === to.day ? `–${to.time}` : ` – ${to.day}, ${to.time}`;
      return `${from.day}, ${from.time}${until} · ${times(count, outcome)}`;
    });
}

function times(count: number, outcome: SlotOutcome): string {
  return `${count === 1 ? "" : `${count.toLocaleString("en-GB")} × `}${OUTCOME_WORDS[outcome]}`;
}

/** The most boards with trouble that fit into one message. */
const MAX_TROUBLED = 8;

type BoardWeek = Awaited<ReturnType<Boards["week"]>>[number];

function troubleOf({ counts }: BoardWeek): number {
  return [...counts].reduce((all, [outcome, count]) => (outcome === "shown" ? all : all + count), 0);
}

/** Those with the most trouble come first; one line sums up all others. */
export function boardWeekView(weeks: readonly BoardWeek[], stations: StationNames): Reply {
  const troubled = weeks
    .filter((week) => troubleOf(week) > 0 || week.board.state === "paused")
    .toSorted((a, b) => troubleOf(b) - troubleOf(a));
  const well = weeks.length - troubled.length;
  const total = weeks.reduce((all, { counts }) => all + (counts.get("shown") ?? 0), 0);
  const more = troubled.length - MAX_TROUBLED;
  return privateCard([
    "### The last seven days",
    `${plural(weeks.length, "board")}, shown ${plural(total, "time")} as planned.`,
    ...troubled
      .slice(0, MAX_TROUBLED)
      .map(({ board, counts }) =>
        joinLines(
          `**${escapeMarkdown(boardName(board.settings, stations))}** in <#${board.channelId}>`,
          ...[...counts].toSorted(([, a], [, b]) => b - a).map(([outcome, count]) => times(count, outcome)),
          board.state === "paused" && stateWords(board),
        ),
      ),
    more > 0 &&
      `${plural(more, "more board")} missed something. Open ${more === 1 ? "it" : "them"} from **All boards**.`,
    troubled.length > 0 && well > 0 && `The other ${well === 1 ? "board" : `${well} boards`} missed nothing.`,
    [buttonTo("All boards", { command: "board/list", action: "page", args: pageArgs.encode({ page: 0 }) })],
  ]);
}

// Sent when the bot pauses a board: to the subscriber, or to the server's channel for notices.

/** Absent names are unknown or should not be shown. */
export interface NoticePlace {
  readonly guild?: string | undefined;
  readonly channel?: string | undefined;
}

/** `others`: how many more boards stopped with it. */
export function boardNoticeView(
  board: Subscription,
  place: NoticePlace,
  others: number,
  stations: StationNames,
): Reply {
  const { id, settings, pausedBecause = "channel-gone" } = board;
  const name = escapeMarkdown(boardName(settings, stations));
  return card([
    `### The board for ${name} is paused`,
    `It was in ${placeWords(board, place)}, and stopped because ${PAUSE_WORDS[pausedBecause]}.${othersWords(others)}\n${WHAT_TO_DO[pausedBecause]}`,
    [boardManageButton("repair", id)],
  ]);
}

/** e.g. `**#trains** on **Commuters** (<#11>)`: a mention names a channel only to people who see it. */
function placeWords({ channelId, pausedBecause }: Subscription, { guild, channel }: NoticePlace): string {
  const mention = `<#${channelId}>`;
  const named = channel === undefined ? mention : `**#${escapeMarkdown(channel)}**`;
  const where = guild === undefined ? named : `${named} on **${escapeMarkdown(guild)}**`;
  return named === mention || pausedBecause === "channel-gone" ? where : `${where} (${mention})`;
}

function othersWords(others: number): string {
  return others === 0
    ? ""
    : ` ${others === 1 ? "Your other board there has" : `Your ${others} other boards there have`} stopped too. The button restarts them all.`;
}

const WHAT_TO_DO: Readonly<Record<PauseReason, string>> = {
  "channel-gone":
    "If the channel still exists, give me **View Channel** there (in a private thread, mention me first) and press the button. If it's gone, use `/board list` in the channel where you want the board, open it there and press **Resume here**.",
  "not-allowed":
    "Give me **Send Messages** and **Attach Files** there (in a thread, **Send Messages in Threads**) and press the button. If the thread is locked, unlock it first.",
  "station-closed":
    "Choose another station with `/board edit` in the server, then press the button. If the person who runs this bot turned the station's times off, they can turn them on again.",
};

/** `offersHere`: whether to offer to move the board to the present channel if it still cannot run. */
export function repairView(
  { board, others, obstacle }: Awaited<ReturnType<Boards["repair"]>>,
  offersHere: boolean,
  stations: StationNames,
): Reply {
  const { id, settings, channelId, nextSlotMs, pausedBecause } = board;
  if (obstacle !== undefined) {
    const resumed =
      others === 0
        ? ""
        : ` ${others === 1 ? "Another board that stopped with this one is" : `${others} other boards that stopped with this one are`} running again.`;
    const canMove = offersHere && pausedBecause !== "station-closed";
    return textReply(
      `${obstacle}${resumed}`,
      "private",
      canMove ? [boardManageButton("repairHere", id)] : [],
    );
  }
  const first = nextSlotMs === undefined ? "" : ` ${slotSentence(nextSlotMs, settings)}`;
  const also =
    others === 0 ? "" : ` ${others === 1 ? "So is another board" : `So are ${others} other boards`} there.`;
  const text = `✅ **${escapeMarkdown(boardName(settings, stations))}** is running again in <#${channelId}>.${first}${also}`;
  return textReply(text);
}
