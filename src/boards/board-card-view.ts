// A board's card for moderators, and the last seven days of a server's boards.
import { joinDots, joinLines, plural, upperFirst } from "../core/text.ts";
import { type Reply, buttonTo, escapeMarkdown, privateCard, textReply } from "../core/reply.ts";
import { pageArgs } from "../core/pages.ts";
import { relativeTime } from "../time/words.ts";
import { formatSchedule } from "../time/schedule.ts";
import { wallTime } from "../time/wall-clock.ts";
import { PAUSE_WORDS, type StationNames, boardName, settingsDetails } from "./board-settings-words.ts";
import { boardManageButton, stateWords } from "./board-list-view.ts";
import { SETTING_LABELS, type Subscription } from "./boards.ts";
import type { Boards } from "./subscriptions.ts";
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
