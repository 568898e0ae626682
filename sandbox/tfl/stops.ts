// London's stations, stops and piers, and where the trains of each line go. The list is the bot's: it is data, and the
// same as TfL's.
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

/** As TfL writes a stop's name, e.g. `Green Park Underground Station`. */
export function longName({ id, name }: TflStop): string {
  if (/^940GZZ(?:LU|BPSUST|NEUGST)/.test(id)) {
    return `${name} Underground Station`;
  }
  const kinds = { "940GZZDL": " DLR Station", "940GZZCR": " Tram Stop", "910G": " Rail Station" };
  return name + (Object.entries(kinds).find(([start]) => id.startsWith(start))?.[1] ?? "");
}

/** Where a line's trains end. Every train of this stand-in goes to one of these. */
const ENDS: Readonly<Record<string, readonly string[]>> = {
  bakerloo: ["940GZZLUEAC", "940GZZLUHAW"],
  central: ["940GZZLUEPG", "940GZZLUWRP", "940GZZLUEBY", "940GZZLUHLT"],
  circle: ["940GZZLUERC", "940GZZLUHSC"],
  district: ["940GZZLUUPM", "940GZZLURMD", "940GZZLUWIM", "940GZZLUEBY"],
  dlr: ["940GZZDLBNK", "940GZZDLLEW", "940GZZDLSTD", "940GZZDLWLA", "940GZZDLBEC"],
  elizabeth: ["910GABWDXR", "910GSHENFLD", "910GHTRWTM5", "910GRDNGSTN"],
  "hammersmith-city": ["940GZZLUHSC", "940GZZLUBKG"],
  jubilee: ["940GZZLUSTD", "940GZZLUSTM"],
  liberty: ["910GROMFORD", "910GUPMNSTR"],
  lioness: ["910GEUSTON", "910GWATFJDC"],
  "london-cable-car": ["940GZZALGWP", "940GZZALRDK"],
  metropolitan: ["940GZZLUALD", "940GZZLUAMS", "940GZZLUUXB", "940GZZLUWAF"],
  mildmay: ["910GSTFD", "910GRICHMND", "910GCLPHMJ1"],
  northern: ["940GZZLUMDN", "940GZZLUEGW", "940GZZLUHBT", "940GZZBPSUST"],
  piccadilly: ["940GZZLUCKS", "940GZZLUHR5", "940GZZLUUXB"],
  rb1: ["930GBSP", "930GBRVS"],
  rb4: ["930GCAW", "930GNEL"],
  rb6: ["930GPUT", "930GCAW"],
  suffragette: ["910GGOSPLOK", "910GBARKRIV"],
  tram: ["940GZZCRWMB", "940GZZCRNWA", "940GZZCRBEK", "940GZZCRELM"],
  victoria: ["940GZZLUBXN", "940GZZLUWWL"],
  "waterloo-city": ["940GZZLUBNK", "940GZZLUWLO"],
  weaver: ["910GLIVST", "910GCHINGFD", "910GENFLDTN", "910GCHESHNT"],
  windrush: ["910GHGHI", "910GCRYSTLP", "910GWCROYDN", "910GCLPHMJ1"],
  "woolwich-ferry": ["930GWWC", "930GWWS"],
};

export function endsOf({ id }: TflLine): readonly TflStop[] {
  return (ENDS[id] ?? []).flatMap((end) => STOPS.get(end) ?? []);
}
