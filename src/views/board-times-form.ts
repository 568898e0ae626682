// The form for what people change most about a board: when it comes.
import type { Modal, ModalField } from "../core/reply.ts";
import { formatDays, formatHours, formatTiming } from "../services/schedule/format-schedule.ts";
import type { Subscription } from "../services/boards/boards.ts";
import { boardName, type StationNames } from "./board-settings-words.ts";

/** Opens with the times as they are. Its fields: `every`, `at`, `days`, `hours`, `zone`. */
export function boardTimesForm({ id, settings }: Subscription, stations: StationNames): Modal {
  const { timing, days, hours, zone } = settings.schedule;
  const every = "every" in timing ? formatTiming(timing) : "";
  const at = "at" in timing ? timing.at.join(", ") : "";
  return {
    type: "modal",
    target: { command: "board/edit", action: "times", args: { b: id } },
    title: boardName(settings, stations),
    fields: [
      field("every", "How often", "e.g. every 10 minutes; leave it empty for fixed times", every),
      field("at", "Or at fixed times", "e.g. 07:30, 17:15", at),
      field(
        "days",
        "On which days",
        "e.g. weekdays, or Mon, Wed, Fri; empty for every day",
        formatDays(days),
      ),
      field(
        "hours",
        "Only between",
        "e.g. 07:00-09:30; empty for the whole day",
        hours ? formatHours(hours) : "",
      ),
      field("zone", "Whose clock the times follow", "e.g. London, New York", zone),
    ],
  };
}

function field(name: string, label: string, description: string, value: string): ModalField {
  return { type: "text", name, label, description, value, lines: "one", required: false, maxLength: 200 };
}
