// Everything local: lines with their numbers, stops by their codes, and which lines call where.
import { gradual, type Steps } from "../gradual.ts";
import { createBusLines } from "./bus-lines.ts";
import { createFixedLines } from "./fixed-lines.ts";
import type { LocalLine } from "./local-line.ts";
import type { Stop } from "./stop.ts";

/** A line at one of its stops. */
export interface LocalCall {
  readonly line: LocalLine;
  /** Which of the line's stops. */
  readonly at: number;
}

export interface LocalNetwork {
  readonly lines: readonly LocalLine[];
  /** By ATCO code. */
  readonly stops: ReadonlyMap<string, Stop>;
  /** Who calls at the stop of this code. */
  callsAt(atcocode: string): readonly LocalCall[];
}

/** Made at first use, since boards need none of it. */
export const network = gradual(createLocalNetwork);

/** The network. */
export const localNetwork = (): LocalNetwork => network.now();

function* createLocalNetwork(): Steps<LocalNetwork> {
  const drafts = [...createFixedLines(), ...(yield* createBusLines())];
  const lines = drafts.map((line, id): LocalLine => ({ ...line, id }));
  const stops = new Map<string, Stop>();
  const calls = new Map<string, LocalCall[]>();
  for (const line of lines) {
    line.stops.forEach((stop, at) => {
      stops.set(stop.atcocode, stop);
      const here = calls.get(stop.atcocode) ?? [];
      here.push({ line, at });
      calls.set(stop.atcocode, here);
    });
    yield;
  }
  return { lines, stops, callsAt: (atcocode) => calls.get(atcocode) ?? [] };
}
