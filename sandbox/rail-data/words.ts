// Reasons, messages and train lengths: derived from the train or the station, so that all answers agree.
import { hash } from "../transport/railway/chance.ts";
import type { RailStation } from "../transport/railway/stations.ts";
import type { Train } from "../transport/railway/train.ts";

const CAUSES = [
  "a fault with the signalling system",
  "a shortage of train crew",
  "a points failure",
  "trespassers on the railway",
  "a broken down train",
  "a tree blocking the railway",
  "animals on the railway",
  "a speed restriction because of high track temperatures",
] as const;

export function reasonWhy(trouble: "cancelled" | "delayed", train: Train, seed: number): string {
  const cause = pick(CAUSES, hash(seed, train.uid, train.serviceDate, "cause"));
  return `This service has been ${trouble} ${trouble === "cancelled" ? "because of" : "by"} ${cause}`;
}

/** Messages about lifts, engineering work and incidents, as HTML, in one list. Two stations in three have none. */
export function messagesAt(station: RailStation, seed: number): readonly { readonly Value: string }[] {
  const roll = hash(seed, station.crs, "messages");
  const all = [
    `The lifts are out of order between platforms and the footbridge at ${station.name} station. `,
    `\n<p>Buses replace some trains from ${station.name} on Sunday. Latest information can be found in <a href="https://www.nationalrail.co.uk/service-disruptions/sandbox-20261122/">Status &amp; Disruptions</a>.</p>`,
    `Trains from ${station.name} may be cancelled, delayed by up to 40&nbsp;minutes or revised.`,
  ];
  // oxlint-disable-next-line typescript/naming-convention -- the service's own name
  return roll % 3 === 0 ? all.slice(0, 1 + ((roll >>> 8) % all.length)).map((Value) => ({ Value })) : [];
}

/** A number of coaches that suits the kind of train; `0` means unknown, as for every bus and one train in six. */
export function coachesOf(train: Train, seed: number): number {
  const roll = hash(seed, train.uid, "coaches");
  if (train.mode === "bus" || roll % 6 === 0) {
    return 0;
  }
  switch (train.kind) {
    case "express":
      return pick([5, 9, 9, 10, 11], roll);
    case "regional":
      return pick([2, 3, 4, 4, 8], roll);
    case "metro":
      return pick([4, 8, 10, 12], roll);
    case "sleeper":
      return 16;
    case "freight":
      return 0;
  }
}

function pick<T>(list: readonly [T, ...T[]], roll: number): T {
  return list[(roll >>> 8) % list.length] ?? list[0];
}
