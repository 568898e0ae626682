// London's stations, stops and piers, and the termini of each line. The stand-in reads the bot's own list: it is data,
// and agrees with TfL's.
import list from "../../src/sources/tfl/london-stops.json" with { type: "json" };

export interface TflLine {
  readonly id: string;
  readonly name: string;
  readonly mode: string;
}

export interface TflStop {
  readonly id: string;
  readonly name: string;
  readonly lines: readonly TflLine[];
}

export const LINES: readonly TflLine[] = list.lines.toSorted((a, b) => (a.id < b.id ? -1 : 1));

const linesById = new Map(LINES.map((line) => [line.id, line]));

export const STOPS: ReadonlyMap<string, TflStop> = new Map(
  list.stops.map(({ id, name, lines }) => [
    id,
    { id, name, lines: lines.flatMap((line) => linesById.get(line) ?? []) },
  ]),
);

/** A stop's name as TfL writes it, e.g. `Green Park Underground Station`. */
export function longName({ id, name }: TflStop): string {
  if (/^940GZZ(?:LU|BPSUST|NEUGST)/.test(id)) {
    return `${name} Underground Station`;
  }
  const kinds = { "940GZZDL": " DLR Station", "940GZZCR": " Tram Stop", "910G": " Rail Station" };
  return name + (Object.entries(kinds).find(([start]) => id.startsWith(start))?.[1] ?? "");
}

/** The termini of each line, by the direction that signs on platforms show. Every train here goes to one of these. */
const ENDS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  bakerloo: { Northbound: ["940GZZLUHAW"], Southbound: ["940GZZLUEAC"] },
  central: { Eastbound: ["940GZZLUEPG", "940GZZLUHLT"], Westbound: ["940GZZLUWRP", "940GZZLUEBY"] },
  circle: { "Inner Rail": ["940GZZLUERC"], "Outer Rail": ["940GZZLUHSC"] },
  district: { Eastbound: ["940GZZLUUPM"], Westbound: ["940GZZLURMD", "940GZZLUWIM", "940GZZLUEBY"] },
  dlr: { North: ["940GZZDLBNK", "940GZZDLSTD"], South: ["940GZZDLLEW", "940GZZDLWLA", "940GZZDLBEC"] },
  elizabeth: { East: ["910GABWDXR", "910GSHENFLD"], West: ["910GHTRWTM5", "910GRDNGSTN"] },
  "hammersmith-city": { Eastbound: ["940GZZLUBKG"], Westbound: ["940GZZLUHSC"] },
  jubilee: { Northbound: ["940GZZLUSTM"], Southbound: ["940GZZLUSTD"] },
  liberty: { East: ["910GUPMNSTR"], West: ["910GROMFORD"] },
  lioness: { North: ["910GWATFJDC"], South: ["910GEUSTON"] },
  "london-cable-car": { North: ["940GZZALRDK"], South: ["940GZZALGWP"] },
  metropolitan: { Northbound: ["940GZZLUAMS", "940GZZLUUXB", "940GZZLUWAF"], Southbound: ["940GZZLUALD"] },
  mildmay: { East: ["910GSTFD"], West: ["910GRICHMND", "910GCLPHMJ1"] },
  northern: { Northbound: ["940GZZLUEGW", "940GZZLUHBT"], Southbound: ["940GZZLUMDN", "940GZZBPSUST"] },
  piccadilly: { Eastbound: ["940GZZLUCKS"], Westbound: ["940GZZLUHR5", "940GZZLUUXB"] },
  rb1: { East: ["930GBRVS"], West: ["930GBSP"] },
  rb4: { East: ["930GCAW"], West: ["930GNEL"] },
  rb6: { East: ["930GCAW"], West: ["930GPUT"] },
  suffragette: { East: ["910GBARKRIV"], West: ["910GGOSPLOK"] },
  tram: { East: ["940GZZCRBEK", "940GZZCRELM", "940GZZCRNWA"], West: ["940GZZCRWMB"] },
  victoria: { Northbound: ["940GZZLUWWL"], Southbound: ["940GZZLUBXN"] },
  "waterloo-city": { Eastbound: ["940GZZLUBNK"], Westbound: ["940GZZLUWLO"] },
  weaver: { North: ["910GCHINGFD", "910GENFLDTN", "910GCHESHNT"], South: ["910GLIVST"] },
  windrush: { North: ["910GHGHI"], South: ["910GCRYSTLP", "910GWCROYDN", "910GCLPHMJ1"] },
  "woolwich-ferry": { North: ["930GWWC"], South: ["930GWWS"] },
};

export function directionsOf({
  id,
}: TflLine): readonly { readonly way: string; readonly ends: readonly TflStop[] }[] {
  return Object.entries(ENDS[id] ?? {}).map(([way, ends]) => ({
    way,
    ends: ends.flatMap((end) => STOPS.get(end) ?? []),
  }));
}
