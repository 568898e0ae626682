// Great Britain's railway stations, offline: found by code, name, alias and with typing mistakes.

/** A station of the offline list. */
export interface Station {
  /** Three-letter code of the Computer Reservation System, e.g. `YRK`; unique, upper case. */
  readonly crs: string;
  /** e.g. `London Kings Cross`. */
  readonly name: string;
  readonly latitude: number;
  readonly longitude: number;
}

export interface Stations {
  /** The station of this code, in any case; `undefined` if there is none. */
  byCrs(crs: string): Station | undefined;
  /** The station of exactly this code, name or alias; `undefined` if there is none. */
  find(text: string): Station | undefined;
  /** As `find`, but throws a UserError that names the three nearest. */
  resolve(text: string): Station;
  /** The stations a person may mean, best first; for an empty text, well-known ones. */
  suggest(text: string, limit: number): readonly Station[];
}
