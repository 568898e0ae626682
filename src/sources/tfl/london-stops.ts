// London's stations, tram stops, piers and lines, but not its bus stops. ops/refresh-london-stops.js updates them.
import { oneLine } from "../../core/text.ts";
import list from "./london-stops.json" with { type: "json" };

export interface LondonLine {
  /** e.g. `hammersmith-city`. */
  readonly id: string;
  /** e.g. `Hammersmith & City`. */
  readonly name: string;
  /** e.g. `tube`, `dlr`, `elizabeth-line`, `overground`, `tram`, `river-bus`, `cable-car`. */
  readonly mode: string;
}

export interface LondonStop {
  /** NaPTAN code of 7 to 12 letters and digits, e.g. `940GZZLUOXC`. An interchange has several stops. */
  readonly id: string;
  /** As people say it, e.g. `Oxford Circus`; several stops may have the same name. */
  readonly name: string;
  readonly modes: readonly string[];
  /** Ids, e.g. `victoria`. */
  readonly lines: readonly string[];
}

export const londonLines: readonly LondonLine[] = list.lines;

const modes = new Map(londonLines.map(({ id, mode }) => [id, mode]));

export const londonStops: readonly LondonStop[] = list.stops.map((stop) => ({
  ...stop,
  modes: [...new Set(stop.lines.flatMap((line) => modes.get(line) ?? []))],
}));

const stopsById = new Map(londonStops.map((stop) => [stop.id, stop]));

export function findLondonStop(id: string): LondonStop | undefined {
  return stopsById.get(id);
}

/** A station's name as people say it: `Queen's Park Underground Station` becomes `Queen's Park`. */
export function plainStopName(name: string): string {
  return oneLine(name, 100)
    .replaceAll("’", "'")
    .replace(/ ?\((?:London|Berks|for [^)]*)\)/i, "")
    .replace(/[ -](?:(?:Underground|DLR|Rail|ELL Rail)(?: Station)?|Tram Stop)$/i, "")
    .replace("(H&C Line)", "(Hammersmith & City)")
    .replace("(Dist&Picc Line)", "(District & Piccadilly)")
    .replace(" Line)", ")");
}

/** A line's name as people say it: “Victoria line”, but “DLR”. */
export function lineName(name: string, mode: string): string {
  return /^(?:tube|overground)$/.test(mode) && !/\bline$/i.test(name) ? `${name} line` : name;
}

/** TfL's colours for its lines, 0xRRGGBB. */
const COLOURS: Readonly<Record<string, number>> = {
  bakerloo: 0xb26300,
  central: 0xdc241f,
  circle: 0xffc80a,
  district: 0x007d32,
  "hammersmith-city": 0xf589a6,
  jubilee: 0x838d93,
  metropolitan: 0x9b0058,
  northern: 0x000000,
  piccadilly: 0x0019a8,
  victoria: 0x039be5,
  "waterloo-city": 0x76d0bd,
  dlr: 0x00afad,
  elizabeth: 0x60399e,
  liberty: 0x5d6061,
  lioness: 0xfaa61a,
  mildmay: 0x0077ad,
  suffragette: 0x5bbd72,
  weaver: 0x823a62,
  windrush: 0xed1b00,
  tram: 0x5fb526,
  rb1: 0x039be5,
  rb4: 0x039be5,
  rb6: 0x039be5,
  "woolwich-ferry": 0x039be5,
  "london-cable-car": 0x734fa0,
};

/** A line's colour, 0xRRGGBB; `undefined` for buses and for lines that are newer than this list. */
export function lineColour(lineId: string): number | undefined {
  return COLOURS[lineId];
}
