// Asks for the state of the network and adds what is known of trains without asking.
import { Temporal } from "temporal-polyfill";
import type { TransportClient } from "../../clients/transport/client.ts";
import type { Clock } from "../../core/clock.ts";
import { type Answers, staleOf } from "../cache/answers.ts";
import type { Stations } from "../stations/stations.ts";
import type { Network, NetworkEntry, NetworkMode } from "./network.ts";
import { seenTrains, type KeptBoard } from "./seen-trains.ts";

/** Makes the service. It costs one request; `keptBoards` gives the boards that others asked for, at no cost. */
export function createNetwork({
  transport,
  answers,
  stations,
  clock,
  keptBoards,
}: {
  transport: Pick<TransportClient, "network">;
  answers: Answers;
  stations: Pick<Stations, "byCrs">;
  clock: Clock;
  keptBoards: () => readonly KeptBoard[];
}): Network {
  return {
    async state() {
      const answer = await answers.ask("network", () => transport.network());
      const { value } = answer;
      const now = Temporal.Instant.fromEpochMilliseconds(clock.now());
      return {
        basis: value.basis,
        entries: value.entries.filter((entry) => !isOver(entry, now)).toSorted(compareEntries),
        seen: value.basis === "status" ? undefined : seenTrains(keptBoards(), stations, now),
        dataAt: value.dataAt,
        stale: staleOf(answer),
      };
    },
  };
}

const MODES: readonly NetworkMode[] = ["train", "tube", "tram", "bus", "ferry", "other"];

function compareEntries(a: NetworkEntry, b: NetworkEntry): number {
  return (
    Number(b.isDisrupted) - Number(a.isDisrupted) ||
    MODES.indexOf(a.mode) - MODES.indexOf(b.mode) ||
    a.name.localeCompare(b.name, "en-GB", { numeric: true })
  );
}

function isOver({ until }: NetworkEntry, now: Temporal.Instant): boolean {
  return until !== undefined && Temporal.Instant.compare(until, now) < 0;
}
