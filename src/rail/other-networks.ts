// Stations and stops of tubes, trams and ferries that people ask for as if they were train stations. The transport
// service has no boards for them, so all there is to do is to say so kindly.
import { normaliseWords } from "../core/search-text.ts";

/** Well-known stations of the London Underground and the DLR that no train station is called after. Ours, by hand. */
const TUBE_STATIONS: ReadonlySet<string> = new Set(
  [
    "Acton Town, Aldgate, Aldgate East, Alperton, Angel, Arnos Grove, Arsenal, Baker Street, Bank, Barbican, Barons Court",
    "Bayswater, Belsize Park, Bermondsey, Borough, Boston Manor, Bounds Green, Bow Road, Brent Cross",
    "Burnt Oak, Caledonian Road, Camden Town, Canning Town, Chalk Farm, Chancery Lane",
    "Clapham Common, Clapham North, Clapham South, Cockfosters, Colindale, Covent Garden, Cutty Sark, Cyprus",
    "Dollis Hill, Earls Court, East Finchley, East Putney, Eastcote, Edgware, Edgware Road, Embankment, Epping",
    "Euston Square, Finchley Road, Fulham Broadway, Gloucester Road, Golders Green, Goldhawk Road, Goodge Street",
    "Great Portland Street, Green Park, Hammersmith, Hampstead, Heron Quays, High Street Kensington, Holborn",
    "Holland Park, Holloway Road, Hounslow Central, Hounslow East, Hounslow West, Hyde Park Corner, Island Gardens",
    "Kennington, Kilburn, Kilburn Park, Knightsbridge, Ladbroke Grove, Lambeth North, Lancaster Gate, Latimer Road",
    "Leicester Square, Leytonstone, Loughton, Maida Vale, Mansion House, Marble Arch, Mile End, Monument",
    "Mornington Crescent, Neasden, Nine Elms, North Greenwich, Northfields, Notting Hill Gate, Oval, Oxford Circus",
    "Parsons Green, Piccadilly Circus, Pimlico, Pudding Mill Lane, Putney Bridge, Ravenscourt Park",
    "Regents Park, Royal Oak, Russell Square, Snaresbrook, South Kensington, Southgate, Southwark, St Jamess Park",
    "St Johns Wood, St Pauls, Stamford Brook, Stepney Green, Stockwell, Swiss Cottage, Temple, Tooting Bec",
    "Tooting Broadway, Totteridge and Whetstone, Tower Gateway, Tower Hill, Tufnell Park",
    "Turnham Green, Turnpike Lane, Upton Park, Uxbridge, Wanstead, Warren Street, Warwick Avenue",
    "West Finchley, Westbourne Park, Westferry, Westminster, White City, Wood Green, Wood Lane, Woodford",
  ]
    .flatMap((line) => line.split(", "))
    .map(plain),
);

/** Words by which people say themselves that they mean no train. */
const OTHER_NETWORK =
  /\b(?:tube|underground|metro|metrolink|subway|tram|supertram|dlr)\b|\b(?:ferry terminal|pier)$/i;

/** Whether a text means a tube or metro station, a tram stop or a ferry, by its name or by its words. */
export function isOfOtherNetwork(text: string): boolean {
  const short = text.slice(0, 60).trim();
  return OTHER_NETWORK.test(short) || TUBE_STATIONS.has(plain(short));
}

function plain(text: string): string {
  return normaliseWords(text).join(" ");
}
