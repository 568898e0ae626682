// One route from end to end: a line of stops, with what one rides between them behind a bar.
import { escapeMarkdown } from "../core/reply.ts";
import type { JourneyLeg, JourneyPlan, Route } from "../services/journeys/journeys.ts";
import { dayAndTime } from "./board-words.ts";
import { legWords, lengthWords, minutesBetween, placeName } from "./journey-words.ts";

/** Who has so little time before a walk just walks: it is not said as a wait. */
const SLACK_MINUTES = 5;

/**
 * The route in Markdown. Block quotes make the bars, so it reads on a phone as on a desk. In the specification's
 * answers legs have no ends: all that is known is what one does there.
 */
export function routeMarkdown(route: Route, { question: { from, to, at } }: JourneyPlan): string {
  const { legs, departsAt } = route;
  const lines = [stopLine(departsAt, at, legs[0]?.from ?? from.name)];
  for (const [index, leg] of legs.entries()) {
    const before = legs[index - 1];
    const after = legs[index + 1];
    const waitMinutes = before ? minutesBetween(before.arrivesAt, leg.departsAt) : 0;
    if (before && waitMinutes > (leg.mode === "walk" ? SLACK_MINUTES : 0)) {
      const isChange = before.mode !== "walk" && leg.mode !== "walk";
      lines.push(
        `-# ${isChange ? "Change" : "Wait"}, ${lengthWords(waitMinutes)}`,
        stopLine(leg.departsAt, departsAt, leg.from ?? before.to ?? begin(leg)),
      );
    }
    const words = legWords(leg);
    const end = leg.to ?? (after ? (after.from ?? between(leg, after)) : to.name);
    lines.push(`> ${words.sign} ${escapeMarkdown(words.text)}`, stopLine(leg.arrivesAt, departsAt, end));
  }
  return lines.join("\n");
}

function begin({ mode }: JourneyLeg): string {
  return mode === "walk" ? "set off" : "get on";
}

/** What one does at the end of a leg, at a place nobody has named. */
function between(leg: JourneyLeg, after: JourneyLeg): string {
  if (leg.mode !== "walk") {
    return "get off";
  }
  return minutesBetween(leg.arrivesAt, after.departsAt) > 0 ? "arrive" : begin(after);
}

/** The day is named where it is another than `day`'s. */
function stopLine(moment: Route["departsAt"], day: Route["departsAt"], place: string): string {
  return `**${dayAndTime(moment, day)}** ${escapeMarkdown(placeName(place))}`;
}
