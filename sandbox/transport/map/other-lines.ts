// The lines of tubes, trams and boats. The Underground is only its inner part, with lines and names from the bot's list.
import { LINES, longName, STOPS } from "../../tfl/stops.ts";
import type { LocalMode, Stop, StopType, UnnumberedLine } from "./local-lines.ts";
import tubeStations from "./tube-stations.json" with { type: "json" };

/** `mode|prefix of ATCO codes|operator|interval in minutes|line|code name@latitude,longitude;…`. */
const WRITTEN: readonly string[] = [
  "tram|9400ZZMA|Metrolink|12|Altrincham - Bury|ALT Altrincham@53.3878,-2.3475;TRA Trafford Bar@53.4616,-2.2772;GMX Deansgate-Castlefield@53.4744,-2.2504;STP St Peter's Square@53.4780,-2.2432;VIC Victoria@53.4873,-2.2417;BUR Bury@53.5915,-2.2970",
  "tram|9400ZZMA|Metrolink|12|Eccles - Ashton-under-Lyne|ECC Eccles@53.4828,-2.3346;MCU MediaCityUK@53.4722,-2.2976;STP St Peter's Square@53.4780,-2.2432;PIC Piccadilly@53.4771,-2.2309;ETI Etihad Campus@53.4848,-2.2021;AUL Ashton-under-Lyne@53.4905,-2.0949",
  "tram|9400ZZSY|Supertram|12|Blue|HLS Hillsborough@53.4023,-1.5007;CTH Cathedral@53.3832,-1.4697;SHS Sheffield Station@53.3775,-1.4609;HWY Halfway@53.3296,-1.3439",
  "tram|9400ZZNO|Nottingham Express Transit|10|Toton Lane - Hucknall|TTL Toton Lane@52.9191,-1.2625;NST Nottingham Station@52.9464,-1.1466;OMS Old Market Square@52.9537,-1.1489;HKN Hucknall@53.0383,-1.1957",
  "tram|9400ZZCR|London Trams|10|Wimbledon - Beckenham Junction|WMB Wimbledon@51.4216,-0.2070;WCR West Croydon@51.3786,-0.1030;ECR East Croydon@51.3752,-0.0926;BEK Beckenham Junction@51.4110,-0.0260",
  "tram|9400ZZED|Edinburgh Trams|7|Airport - Newhaven|AIR Edinburgh Airport@55.9480,-3.3641;HAY Haymarket@55.9457,-3.2177;PRI Princes Street@55.9517,-3.1966;NEW Newhaven@55.9808,-3.1926",
  "tram|9400ZZWM|West Midlands Metro|8|Wolverhampton - Edgbaston|WVS Wolverhampton Station@52.5880,-2.1206;BUL Bull Street@52.4822,-1.8963;GCM Grand Central@52.4783,-1.8986;EDG Edgbaston Village@52.4727,-1.9205",
  "tram|9400ZZBP|Blackpool Tramway|10|Starr Gate - Fleetwood Ferry|SGT Starr Gate@53.7795,-3.0571;WTL Waterloo Road@53.7990,-3.0559;NPR North Pier@53.8189,-3.0556;FWF Fleetwood Ferry@53.9279,-3.0062",
  "boat|9300|Wightlink|30|Portsmouth - Ryde|PMH Portsmouth Harbour Pier@50.7968,-1.1083;RYP Ryde Pier Head@50.7390,-1.1602",
  "boat|9300|CalMac|55|Ardrossan - Brodick|ADH Ardrossan Harbour Ferry Terminal@55.6402,-4.8229;BRO Brodick Ferry Terminal@55.5768,-5.1397",
  "boat|9300|CalMac|90|Mallaig - Armadale|MAL Mallaig Ferry Terminal@57.0068,-5.8280;ARM Armadale Ferry Terminal@57.0644,-5.8946",
  "boat|9300|Mersey Ferries|20|Pier Head - Seacombe|PHD Liverpool Pier Head@53.4046,-2.9966;SEA Seacombe Ferry Terminal@53.4094,-3.0148",
  "boat|9300|Uber Boat by Thames Clippers|20|RB1|EMB Embankment Pier@51.5069,-0.1207;TMP Tower Pier@51.5077,-0.0791;CAW Canary Wharf Pier@51.5051,-0.0285;GNW Greenwich Pier@51.4839,-0.0098",
];
const TYPES: Readonly<Record<string, readonly [LocalMode, StopType]>> = {
  tram: ["tram", "tram_stop"],
  boat: ["boat", "ferry_terminal"],
};

/** Lines of one system share stops. */
export function createOtherLines(): readonly UnnumberedLine[] {
  return [...tubeLines(), ...WRITTEN.map(parseLine)];
}

function tubeLines(): readonly UnnumberedLine[] {
  const stops = Object.entries(tubeStations).flatMap(([code, [latitude = 0, longitude = 0]]) => {
    const known = STOPS.get(`940GZZLU${code}`);
    const stop = known && createStop("tube_station", `9400ZZLU${code}`, longName(known), latitude, longitude);
    return stop ? [{ stop, lines: known.lines }] : [];
  });
  return LINES.filter(({ mode }) => mode === "tube").map((line) => ({
    mode: "tube",
    name: line.name,
    operator: "LU",
    operatorName: "London Underground",
    everyMinutes: 4,
    stops: stops.filter(({ lines }) => lines.includes(line)).map(({ stop }) => stop),
  }));
}

function parseLine(text: string): UnnumberedLine {
  const [kind = "", prefix = "", operatorName = "", every, name = "", along = ""] = text.split("|");
  const [mode, type] = TYPES[kind] ?? ["boat", "ferry_terminal"];
  const stops = along.split(";").map((one) => {
    const [named = "", at = ""] = one.split("@");
    const [latitude = 0, longitude = 0] = at.split(",").map(Number);
    const system = mode === "tram" ? ` (${operatorName})` : "";
    return createStop(type, prefix + named.slice(0, 3), named.slice(4) + system, latitude, longitude);
  });
  const operator = operatorName.slice(0, 4).toUpperCase();
  return { mode, name, operator, operatorName, everyMinutes: Number(every), stops };
}

function createStop(
  type: StopType,
  atcocode: string,
  name: string,
  latitude: number,
  longitude: number,
): Stop {
  const locality = type === "tube_station" ? "London" : name;
  return { type, atcocode, name, locality, letter: undefined, latitude, longitude };
}
