// Shows a new watch. Also has the texts that the other views of watches share.
import {
  menu,
  type Modal,
  type ModalField,
  type Reply,
  escapeMarkdown,
  privateCard,
  textReply,
} from "../core/reply.ts";
import { formatUkDay, formatUkTime } from "../time/uk-time.ts";
import type { BoardRow } from "../rail/departures.ts";
import type { EmptyDay } from "./watch-warnings.ts";
import type { TrainSearch } from "./find-train.ts";
import { lineOf } from "../rail/london.ts";
import {
  MAX_DELAY_MINUTES,
  MAX_LEAD_MINUTES,
  MIN_LEAD_MINUTES,
  type Watch,
  type WatchPauseReason,
  type WatchSettings,
  isAboutTrains,
} from "./watches.ts";
import { PAUSE_WORDS, type StationNames } from "../boards/board-settings-words.ts";
import { trainChoices } from "../rail/train-view.ts";
import { type WatchRequest, watchArgs, watchButton, watchRequestArgs } from "./watch-args.ts";
import { formatDays, formatHours } from "../time/schedule.ts";
import { formatDay } from "../time/words.ts";
import { joinLines, plural, oneLine } from "../core/text.ts";

export function whichTrainView(
  rows: readonly BoardRow[],
  { station, to, at }: TrainSearch,
  request: WatchRequest,
): Reply {
  const way = `${station.name}${to === undefined ? "" : ` → ${to.name}`}`;
  return privateCard([
    `### Which train do you mean?\n${escapeMarkdown(way)} around ${formatUkTime(at)}, ${formatUkDay(at)}`,
    menu(
      { command: "watch/train", action: "choose", args: watchRequestArgs.encode(request) },
      "Pick a train…",
      trainChoices(rows, at),
    ),
  ]);
}

export function noTrainView({ station, to, at }: TrainSearch): Reply {
  const calls = to === undefined ? "" : ` and calls at ${to.name}`;
  return textReply(
    `I couldn't find a train that leaves ${escapeMarkdown(station.name)} around ${formatUkTime(at)}, ${formatUkDay(at)}${escapeMarkdown(calls)}. Check \`/timetable\`, or try another time.`,
    "private",
  );
}

export function watchPreviewView(
  watch: Watch,
  stations: StationNames,
  ...notes: readonly (string | undefined)[]
): Reply {
  const { what } = watch.settings;
  const text = joinLines(
    `### Watch ${watchName(watch.settings, stations, escapeMarkdown)}?`,
    what.kind === "train" && what.mode === "bus" && "🚌 This is a replacement bus.",
    watchPromise(watch),
    ...notes,
    "-# Not saved yet. This preview expires in an hour.",
  );
  return privateCard([text, [watchButton("save", watch.id), watchButton("discard", watch.id)]]);
}

export function emptyDayNote({ commute, day }: EmptyDay, stations: StationNames): string {
  const { station, to: end, hours } = commute;
  const [from, to] = [station, end].map((crs) => escapeMarkdown(stations.byCrs(crs)?.name ?? crs));
  const on = formatDay(Temporal.PlainDate.from(day));
  return `⚠️ I can't find a direct train from ${from} to ${to} between ${hours.from} and ${hours.to} on ${on}, so I may have nothing to tell you. If you change trains on the way, set up a watch for each part.`;
}

/** `isPreviewed`: whether it replaces the preview, which has said everything already. */
export function watchSavedView(watch: Watch, stations: StationNames, isPreviewed = false): Reply {
  const promise = isPreviewed ? `${tellWords(watch)} if something goes wrong.` : watchPromise(watch);
  return textReply(`Watching ${boldName(watch, stations)}. ${promise}`, "private", [
    watchButton("change", watch.id),
    watchButton("cardStop", watch.id),
  ]);
}

export function watchDiscardedView(): Reply {
  return textReply("Discarded. Nothing was saved.", "private");
}

export function watchWelcomeView(watch: Watch, stations: StationNames): Reply {
  return textReply(
    `🔔 Updates on ${boldName(watch, stations)} will appear here. No news is good news.`,
    "public",
    [watchButton("pause", watch.id), watchButton("stop", watch.id)],
  );
}

/** Replaces the welcome message after the watch was stopped. */
export function watchStoppedView(watch: Watch, stations: StationNames): Reply {
  return textReply(
    `🔕 Stopped: no more alerts for ${boldName(watch, stations)}. You can undo this for an hour.`,
    "public",
    [watchButton("undo", watch.id)],
  );
}

/** Replaces the welcome message after the train has left, or should have. */
export function watchOverView(watch: Watch, stations: StationNames): Reply {
  return textReply(`🔕 The watch for ${boldName(watch, stations)} is over.`, "public");
}

/** Replaces the welcome message after the owner has had their data erased; it no longer says what was watched. */
export function watchErasedView(): Reply {
  return textReply("🔕 I've erased this watch with your other data. It won't alert you any more.", "public");
}

const PING_WORDS: Readonly<Record<WatchSettings["what"]["kind"], string>> = {
  train: "Once, and again if it's cancelled after that",
  commute: "At the first problem of the day, and at the first cancellation",
  line: "Once a day at most",
  network: "Once for each disruption",
};

/** Its fields are `delay`, `lead` and `ping`; for a line and for disruptions, only `ping`. */
export function watchChangeForm(id: string, { what, delayMinutes, leadMinutes, ping }: WatchSettings): Modal {
  const number = { type: "text", lines: "one", minLength: 1, maxLength: 3 } as const;
  const numbers: readonly ModalField[] = [
    {
      ...number,
      name: "delay",
      label: "Alert me when it's this late (minutes)",
      description: `1 to ${MAX_DELAY_MINUTES}`,
      value: String(delayMinutes),
    },
    {
      ...number,
      name: "lead",
      label: "Start checking (minutes before)",
      description: `${MIN_LEAD_MINUTES} to ${MAX_LEAD_MINUTES}`,
      value: String(leadMinutes),
    },
  ];
  return {
    type: "modal",
    target: { command: "watch/list", action: "change", args: watchArgs.encode({ id }) },
    title: "When should I alert you?",
    fields: [
      ...(isAboutTrains(what) ? numbers : []),
      {
        type: "choice",
        name: "ping",
        label: "Ping me",
        choices: [
          { label: "No", value: "no", description: "Messages come quietly", chosen: !ping },
          {
            label: "Yes",
            value: "yes",
            description: PING_WORDS[what.kind],
            chosen: ping,
          },
        ],
      },
    ],
  };
}

const PLACE_LIMIT = 40;

/** e.g. `08:16 York → Leeds, Wed 18 Nov`. `write` escapes text from outside; `day` replaces all the days. */
export function watchName(
  { what }: Pick<WatchSettings, "what">,
  stations: StationNames,
  write: (text: string) => string = String,
  day?: string,
): string {
  const nameOf = (crs: string): string => write(stations.byCrs(crs)?.name ?? crs);
  if (what.kind === "network") {
    return `${what.operator === undefined ? "railway" : write(what.operator)} disruptions`;
  }
  if (what.kind === "line") {
    const hours = what.hours ? formatHours(what.hours) : "all day";
    return `${write(lineOf(what.line).name)}, ${hours}, ${day ?? formatDays(what.days)}`;
  }
  if (what.kind === "commute") {
    return `${nameOf(what.station)} → ${nameOf(what.to)}, ${formatHours(what.hours)}, ${day ?? formatDays(what.days)}`;
  }
  const aimedAt = Temporal.Instant.fromEpochMilliseconds(what.aimedMs);
  const end = write(oneLine(what.place, PLACE_LIMIT) || "somewhere");
  const place = what.to === undefined ? end : nameOf(what.to);
  return `${formatUkTime(aimedAt)} ${nameOf(what.station)} → ${place}, ${formatUkDay(aimedAt)}`;
}

/** e.g. `**08:16 York → Leeds, Wed 18 Nov**`, as Markdown. */
export function boldName({ settings }: Pick<Watch, "settings">, stations: StationNames): string {
  return `**${watchName(settings, stations, escapeMarkdown)}**`;
}

function tellWords({ channelId }: Pick<Watch, "channelId">): string {
  return channelId === undefined ? "I'll DM you" : `I'll post in <#${channelId}>`;
}

/** e.g. `I'll DM you if it's cancelled, …`. */
export function watchPromise({
  ownerId,
  settings,
  channelId,
}: Pick<Watch, "ownerId" | "settings" | "channelId">): string {
  const { what, delayMinutes, leadMinutes, ping } = settings;
  const isOne = what.kind === "train";
  const isDm = channelId === undefined;
  const tell = tellWords({ channelId });
  // People who manage the server read this too.
  const whom = isDm ? "you" : `<@${ownerId}>`;
  const often = what.kind === "network" ? "for each" : "a day at most";
  const pings = `I'll ping ${whom} once ${often}, then update that message quietly.`;
  const noPings = isDm ? "My message comes without a notification." : "I won't ping anyone.";
  if (what.kind === "network") {
    const whose =
      what.operator === undefined ? "the train operators report" : `${escapeMarkdown(what.operator)} reports`;
    return `${tell} once for each disruption that ${whose}, update that message as things change, and say when it's over. If more than three begin at once, they share a message. ${ping ? pings : noPings}`;
  }
  if (what.kind === "line") {
    return `${tell} when something goes wrong on it, update that message as things change, and say when it's over. ${ping ? pings : noPings}`;
  }
  const whenPinged = isOne
    ? "once, and again if it's then cancelled, or moved to another platform shortly before it leaves"
    : "at the first problem of the day and at the first cancellation";
  const pingsAgain = `I'll ping ${whom} ${whenPinged}. I'll add other news to my message quietly.`;
  const start = `I check from ${plural(leadMinutes, "minute")} before ${isOne ? "it leaves" : "each one leaves"}`;
  return [
    `${tell} if ${isOne ? "it's" : "a direct train in those hours is"} cancelled, replaced by a bus, moved to another platform or at least ${plural(delayMinutes, "minute")} late, and say so when it recovers.`,
    `${start}. ${ping ? pingsAgain : noPings}`,
  ].join(" ");
}

/** e.g. `⏸️ paused because I can't send its owner direct messages`; empty unless the watch is paused. */
export function watchStateWords({
  state,
  pausedBecause,
  settings,
}: Pick<Watch, "state" | "pausedBecause" | "settings">): string {
  if (state !== "paused") {
    return "";
  }
  if (pausedBecause === undefined) {
    return "⏸️ paused";
  }
  const why =
    pausedBecause === "station-closed" && !isAboutTrains(settings.what)
      ? `I can't follow ${subjectText(settings.what)} any more`
      : WATCH_PAUSE_WORDS[pausedBecause];
  return `⏸️ paused because ${why}`;
}

/** The words for what a watch is about, to say that its source has been turned off. */
export function subjectText({ kind }: WatchSettings["what"]): string {
  return kind === "line" ? "London's lines" : "the railway's disruptions";
}

const WATCH_PAUSE_WORDS: Readonly<Record<WatchPauseReason, string>> = {
  ...PAUSE_WORDS,
  "dm-closed": "I can't send its owner direct messages",
};
