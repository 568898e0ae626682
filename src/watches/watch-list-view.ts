import { plural, joinDots, joinLines, upperFirst } from "../core/text.ts";
import {
  CHOICES_LIMIT,
  menu,
  type Reply,
  type SelectChoice,
  card,
  escapeMarkdown,
  privateCard,
  textReply,
} from "../core/reply.ts";
import type { WatchList } from "./manage-watches.ts";
import { type Watch, isAboutTrains } from "./watches.ts";
import type { StationNames } from "../boards/board-settings-words.ts";
import { createPage } from "../core/pages.ts";
import { watchButton } from "./watch-args.ts";
import { boldName, watchName, watchPromise, watchStateWords, subjectText } from "./watch-saved-view.ts";

/** Discord allows five buttons in a row. */
const MAX_UNDO = 5;

/** Shows one page, counted from 0, or the last page if that one no longer exists. */
export function watchListView({ own, ofServer }: WatchList, page: number, stations: StationNames): Reply {
  const all = [...own, ...ofServer];
  if (all.length === 0) {
    return nothingWatched();
  }
  const { shown, words, buttons } = createPage(page, all, "watch/list");
  const others = `Other people's watches in this server's channels (${ofServer.length})`;
  const heading = joinDots(own.length > 0 && `Your watches (${own.length})`, ofServer.length > 0 && others);
  return privateCard([
    `### ${heading}${words}`,
    shown.map((watch) => listLine(watch, stations, own.includes(watch))).join("\n"),
    menu(
      { command: "watch/list", action: "open" },
      "Open a watch…",
      shown.map((watch) => watchChoice(watch, stations)),
    ),
    ...buttons,
  ]);
}

function nothingWatched(): Reply {
  return textReply(
    "You're not watching anything yet. Type `/watch` to begin, or open a train on a board and press **Watch**.",
    "private",
  );
}

function watchChoice({ id, settings }: Watch, stations: StationNames): SelectChoice {
  return {
    label: upperFirst(watchName(settings, stations)),
    value: id,
    description: isAboutTrains(settings.what)
      ? `${plural(settings.delayMinutes, "minute")} late or more`
      : "Any trouble",
  };
}

function listLine(watch: Watch, stations: StationNames, isOwn: boolean): string {
  const { channelId, ownerId, settings } = watch;
  return joinDots(
    `**${upperFirst(watchName(settings, stations, escapeMarkdown))}**`,
    channelId === undefined ? "direct message" : `<#${channelId}>`,
    watchStateWords(watch),
    !isOwn && `by <@${ownerId}>`,
  );
}

/** `done`: a sentence on what has just been done with the watch. */
export function watchCardView(watch: Watch, stations: StationNames, done?: string): Reply {
  const { id, state } = watch;
  return privateCard([
    joinLines(
      done,
      `### ${upperFirst(watchName(watch.settings, stations, escapeMarkdown))}`,
      watchPromise(watch),
      state === "paused" && `-# ${upperFirst(watchStateWords(watch))}`,
    ),
    [
      watchButton(state === "paused" ? "cardResume" : "cardPause", id),
      watchButton("change", id),
      watchButton("cardStop", id),
    ],
  ]);
}

export function watchRemoveView({ own, ofServer }: WatchList, stations: StationNames): Reply {
  const all = [...own, ...ofServer];
  if (all.length === 0) {
    return nothingWatched();
  }
  const shown = all.slice(0, CHOICES_LIMIT);
  const rest = all.length === shown.length ? "" : " The others are in `/watch list`.";
  return privateCard([
    `### What do you want to stop?${shown.length > 1 ? "\nYou can pick several." : ""}${rest}`,
    {
      type: "select",
      target: { command: "watch/remove", action: "remove" },
      placeholder: "Stop…",
      choices: shown.map((watch) => watchChoice(watch, stations)),
      max: shown.length,
    },
  ]);
}

/** `undefined` stands for one that was already over. */
export function watchesStoppedView(watches: readonly (Watch | undefined)[], stations: StationNames): Reply {
  const stopped = watches.filter((watch) => watch !== undefined);
  const names = stopped.map((watch) => boldName(watch, stations));
  const [only = "", ...others] = names;
  const what = others.length === 0 ? `${only}.` : `these:\n${names.join("\n")}`;
  const isOne = names.length === 1;
  return textReply(
    names.length === 0
      ? "That was already over."
      : `Stopped. No more alerts for ${what}${isOne ? " " : "\n"}You can undo this for an hour.`,
    "private",
    stopped.slice(0, MAX_UNDO).map(({ id, settings }) => ({
      ...watchButton("undo", id),
      ...(!isOne && { label: `Undo ${watchName(settings, stations)}` }),
    })),
  );
}

// Sent when the bot pauses a watch. Others can read the channel where the watch was requested, so there it
// does not say what is watched.

export function watchNoticeView(watch: Watch, stations: StationNames): Reply {
  return card([
    noticeText(watch, stations),
    [watchButton("resume", watch.id), watchButton("stop", watch.id)],
  ]);
}

function noticeText(watch: Watch, stations: StationNames): string {
  const { ownerId, settings, pausedBecause, channelId } = watch;
  const name = boldName(watch, stations);
  const where = channelId === undefined ? "there" : `in <#${channelId}>`;
  switch (pausedBecause) {
    case "dm-closed":
      return `<@${ownerId}>, I can't send you direct messages, so one of your watches is paused. Allow direct messages in this server's privacy settings, or add me to your apps, then press **Resume**.`;
    case "not-allowed":
      return `Your watch for ${name} is paused: I'm no longer allowed to write ${where}. Give me **Send Messages** there (in a thread, **Send Messages in Threads**), or end my timeout if a moderator has set one. Then press **Resume**.`;
    case "station-closed":
      if (!isAboutTrains(settings.what)) {
        return `Your watch for ${name} is paused: I can't follow ${subjectText(settings.what)} any more. To try again later, press **Resume**.`;
      }
      return `Your watch for ${name} is paused: I no longer have times for one of its stations. To set up another, use \`/watch train\` or \`/watch commute\`.`;
    case "channel-gone":
    case undefined:
      return `Your watch for ${name} is paused: its channel is gone, or I can't see it any more. Let me see it again and press **Resume**, or type \`/watch\` to set up another.`;
  }
}
