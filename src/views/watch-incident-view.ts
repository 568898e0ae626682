// The message of an incident: what has gone wrong with a watched train, or with the trains of a commute on one day.
import { createHash } from "node:crypto";
import { Temporal } from "temporal-polyfill";
import { escapeMarkdown, type ContentBlock, type Reply } from "../core/reply.ts";
import { formatUkTime, ukInstantOf, formatUkDay } from "../core/uk-time.ts";
import { formatHours } from "../services/schedule/format-schedule.ts";
import type { PresentIncident } from "../services/watches/run-watches.ts";
import { formatIncidentMark } from "../services/watches/watch-mark.ts";
import type { Incident, TroubledTrain } from "../services/watches/watches.ts";
import { ACCENT } from "./accent.ts";
import type { StationNames } from "./board-settings-words.ts";
import { SOURCE } from "./source-words.ts";
import { watchButton } from "./watch-args.ts";
import { watchName } from "./watch-settings-words.ts";
import { trainLine, trainSentences } from "./watch-words.ts";

/** More would not be read. */
const MOST_LINES = 10;
/** Where only the age of the data changes, a message is edited no oftener. */
const AGE_STEP_MS = 10 * 60_000;

/** Makes the presenter of incidents. */
export function createIncidentPresenter(stations: StationNames): PresentIncident {
  return (incident) => {
    const text = incidentText(incident, stations);
    const { dataMs, oldMinutes, closed, day, watch } = incident;
    const age = [Math.floor(dataMs / AGE_STEP_MS), oldMinutes !== undefined];
    const blocks: ContentBlock[] = [
      { type: "text", text },
      ...(dataMs > 0 ? [{ type: "text" as const, text: ageLine(incident) }] : []),
      ...(closed && watch.settings.what.kind === "train" ? [] : [buttons(watch.id, day)]),
    ];
    const reply: Reply = { blocks: [{ type: "container", accent: ACCENT, blocks }] };
    return { hash: hashOf([text, age, closed]), reply };
  };
}

function incidentText(incident: Incident, stations: StationNames): string {
  const { watch, trains, closed } = incident;
  const { what } = watch.settings;
  const end =
    what.kind === "train"
      ? "-# I watch it no longer."
      : "-# That was all for this time. I look again on the next of its days.";
  return [
    `### ${heading(incident, stations)}`,
    ...(what.kind === "train" ? trains.flatMap(trainSentences) : commuteLines(trains)),
    ...(closed ? [end] : []),
    ...(watch.target.kind === "channel" && watch.settings.ping ? [`-# <@${watch.ownerId}>`] : []),
  ].join("\n");
}

/** e.g. `07:30 York → Leeds, Sat 21 Nov` or `York → Leeds, 07:00–09:00, Sat 21 Nov`. */
function heading({ watch: { settings }, day }: Incident, stations: StationNames): string {
  const { what } = settings;
  if (what.kind === "train") {
    return watchName(settings, stations, escapeMarkdown);
  }
  const nameOf = (crs: string): string => escapeMarkdown(stations.byCrs(crs)?.name ?? crs);
  const noon = ukInstantOf(Temporal.PlainDate.from(day).toPlainDateTime({ hour: 12 }));
  return `${nameOf(what.station)} → ${nameOf(what.to)}, ${formatHours(what.hours)}, ${formatUkDay(noon)}`;
}

/** In the order of their times; where there are too many, those that have left go first. */
function commuteLines(trains: readonly TroubledTrain[]): readonly string[] {
  const over = trains.length - MOST_LINES;
  const byWorth = [...trains.filter(({ gone }) => !gone), ...trains.filter(({ gone }) => gone).toReversed()];
  const shown = new Set(byWorth.slice(0, MOST_LINES));
  const isWell = trains.every(({ gone, troubles }) => !gone && troubles.length === 0);
  return [
    ...(isWell ? ["✅ **All is well again.**"] : []),
    ...trains.filter((train) => shown.has(train)).map(trainLine),
    ...(over > 0 ? [`-# and ${over} more`] : []),
  ];
}

/** Discord counts the age up. */
function ageLine({ dataMs, oldMinutes }: Incident): string {
  const at = formatUkTime(Temporal.Instant.fromEpochMilliseconds(dataMs));
  const age = `<t:${Math.floor(dataMs / 1_000)}:R>`;
  const since = oldMinutes === undefined ? "" : "; I could not ask again since then";
  return `-# As of ${at} UK time (${age})${since} · ${SOURCE}`;
}

function buttons(watchId: string, day: string): ContentBlock {
  const mark = formatIncidentMark({ day });
  return {
    type: "buttons",
    buttons: [watchButton("pause", watchId, mark), watchButton("stop", watchId, mark)],
  };
}

function hashOf(content: unknown): string {
  return createHash("sha256").update(JSON.stringify(content)).digest("base64url").slice(0, 22);
}
