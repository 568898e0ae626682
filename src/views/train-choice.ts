// The menu under a board that opens one train, and what its choices remember.
import type { Temporal } from "temporal-polyfill";
import { z } from "zod";
import { cutUnits } from "../core/cut-text.ts";
import type { SelectBlock, SelectChoice } from "../core/reply.ts";
import type { BoardKind, BoardRow } from "../services/departures/departures.ts";
import type { TrainSighting } from "../services/trains/trains.ts";
import { rowWords } from "./board-words.ts";
import { formatMinute, minuteSchema } from "./when-args.ts";

/** What the menu itself remembers: the board's station. */
export interface TrainMenuArgs {
  readonly crs: string;
}

/** Reads the args of the menu's id. */
export const trainMenuArgsSchema = z
  .object({ s: z.string().regex(/^[A-Z]{3}$/) })
  .transform(({ s }): TrainMenuArgs => ({ crs: s }));

/** Discord takes 25 choices. */
const CHOICES_LIMIT = 25;
/** Characters of a place that a choice remembers beside everything else; longer names are cut. */
const PLACE_LIMIT = 60;

/** A menu of a board's trains for a command that answers `train`; none for a board without rows. */
export function trainMenu(
  command: string,
  { crs, rows, dataAt }: { crs: string; rows: readonly BoardRow[]; dataAt: Temporal.Instant },
): readonly SelectBlock[] {
  return rows.length === 0
    ? []
    : [
        {
          type: "select",
          target: { command, action: "train", args: { s: crs } },
          placeholder: "Open a train…",
          choices: trainChoices(rows, dataAt),
        },
      ];
}

/** Choices of a menu, one for each train, as many as fit; {@link parseTrainChoice} reads their values. */
export function trainChoices(rows: readonly BoardRow[], dataAt: Temporal.Instant): readonly SelectChoice[] {
  return rows.slice(0, CHOICES_LIMIT).map((row) => {
    const words = rowWords(row, dataAt);
    const details = [
      words.isBus ? "replacement bus" : undefined,
      words.platform && `platform ${words.platform}`,
      words.expected === "Scheduled" ? undefined : (words.lateness ?? words.expected.toLowerCase()),
      words.operator,
    ];
    return {
      label: `${words.time}${words.day === undefined ? "" : ` ${words.day}`} ${words.place}`,
      value: formatTrainChoice(row),
      description: details.filter(Boolean).join(" · "),
    };
  });
}

function formatTrainChoice({ aimedAt, trainUid = "", startDate = "", place }: BoardRow): string {
  return [formatMinute(aimedAt), trainUid.slice(0, 12), startDate, cutUnits(place, PLACE_LIMIT)].join("~");
}

/** The train that a choice stands for; `undefined` for a text that no menu of ours has. */
export function parseTrainChoice(
  value: string,
  { crs }: TrainMenuArgs,
  kind: BoardKind,
): TrainSighting | undefined {
  const [, minute = "", trainUid, startDate, place = ""] = CHOICE.exec(value) ?? [];
  return minute === ""
    ? undefined
    : {
        crs,
        kind,
        aimedAt: minuteSchema.parse(minute),
        place,
        trainUid: trainUid || undefined,
        startDate: startDate || undefined,
      };
}

const CHOICE =
  /^([0-9a-z]{1,6})~([A-Za-z0-9]{0,12})~(\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])|)~(.*)$/s;
