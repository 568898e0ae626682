// Who made what this bot says, and how it fares.
import { type Reply, card } from "../core/reply.ts";
import type { AboutFacts } from "./about.ts";
import { budgetLines } from "../plan/budget-words.ts";
import { formatDuration } from "../time/duration.ts";

export function aboutView({
  version,
  upForMs,
  latencyMs,
  guildCount,
  budget,
  styleBudget,
}: AboutFacts): Reply {
  const latency = latencyMs === undefined ? "not measured yet" : `${Math.round(latencyMs)} ms`;
  const text = [
    `### Signalbox ${version}`,
    "Britain's trains and buses, restyled pictures and published videos, for your server. `/help` shows what I can do here.",
    "",
    `**Uptime** ${formatDuration(upForMs)}`,
    `**Latency** ${latency}`,
    `**Servers** ${guildCount}`,
    ...(budget ? ["", ...budgetLines("Train data", budget)] : []),
    ...(styleBudget ? ["", ...budgetLines("Pictures", styleBudget)] : []),
  ].join("\n");
  const sources = [
    "-# Trains, buses, places and journeys, source: http://transportapi.com/",
    "-# Stations: davwheat/uk-railway-stations, made with Trainline EU's station data, under the ODbL 1.0.",
    "-# Signalbox is free software under the MIT licence.",
  ].join("\n");
  return card([text, { type: "separator" }, sources]);
}
