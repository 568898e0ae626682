// Two real bots on one database are asked for more trains than the plan allows, while one of them is killed and
// restarted. Checked against what the service received, not what the bots believe.
import type { Channel } from "../../sandbox/discord/entities.ts";
import type { LedgerEntry } from "../../sandbox/transport/server.ts";
import type { World } from "../../sandbox/world.ts";
import { openBoardFleet } from "./board-fleet.ts";
import { advanceWhenIdle, until } from "./until.ts";

const HOUR_MS = 3_600_000;
const MEMBERS = ["Ada", "Grace", "Alan", "Mary"];
const STATIONS = (
  "YRK LDS NCL KGX MAN EDB GLC BHM BRI RDG SHF LIV NOT DBY LEI CBG NRW IPS OXF SOU PMH BTN EXD PLY CDF SWA " +
  "PRE CAR DAR DHM DON PBO GRA HUL MBR SKI HGT SCA BDI HFX WKF CRE STA WVH COV"
).split(" ");

/** The load of a run. */
export interface Hammering {
  readonly databaseUrl: string;
  /** Calls that the plan allows in an hour. */
  readonly calls: number;
  /** Each round is a burst at both bots; one of them is killed in the middle of every fourth. */
  readonly rounds: number;
  readonly asksPerRound: number;
  /** How far the clock advances after a round. */
  readonly pauseMs: number;
}

/** The calls that the service received. */
export interface HammeringResult {
  readonly ledger: readonly LedgerEntry[];
  /** Questions that each bot answered. */
  readonly answered: readonly [first: number, second: number];
  /** The most calls in any hour. */
  readonly mostInAnHour: number;
  readonly kills: number;
}

/** Runs all rounds. */
export async function hammerFleet(hammering: Hammering): Promise<HammeringResult> {
  const { databaseUrl, calls, rounds, asksPerRound, pauseMs } = hammering;
  const env = { TRANSPORT_BUDGET: `${calls}/hour`, LOG_LEVEL: "error" };
  await using fleet = await openBoardFleet(databaseUrl, { env });
  const { world, elsewhere } = fleet;
  const [, second] = fleet.bots;
  const answered: [number, number] = [0, 0];
  let kills = 0;
  let death = Promise.withResolvers<void>();
  for (let round = 0; round < rounds; round += 1) {
    const asking = askAll(world, elsewhere, round * asksPerRound, asksPerRound, answered, death.promise);
    if (round % 4 === 1) {
      const before = world.transport.ledger.length + answered[1];
      // In the middle of the burst. The plan may be used up already; then nothing is sent to the service.
      await until(() => world.transport.ledger.length + answered[1] > before);
      await second.kill();
      death.resolve();
      kills += 1;
    }
    await asking;
    if (round % 4 === 3) {
      await second.start();
      death = Promise.withResolvers<void>();
    }
    await advanceWhenIdle(world, pauseMs);
  }
  const { ledger } = world.transport;
  return { ledger, kills, answered, mostInAnHour: mostIn(ledger, HOUR_MS) };
}

/** Half of the questions go to the first bot, half to the second until it is killed. */
async function askAll(
  world: World,
  elsewhere: Channel,
  from: number,
  count: number,
  answered: [number, number],
  death: Promise<void>,
): Promise<void> {
  const members = MEMBERS.map((name) => world.member(name));
  await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const member = members[(index >> 1) % members.length] ?? world.member("Ada");
      const channel = index % 2 === 0 ? world.channels.trains : elsewhere;
      const station = STATIONS[(from + index) % STATIONS.length] ?? "YRK";
      const asked = { station, view: "text", rows: 1 };
      const asking = member.slash(channel, "departures", asked).then(
        () => void (answered[index % 2 === 0 ? 0 : 1] += 1),
        () => undefined,
      );
      // A killed bot never answers.
      await (index % 2 === 0 ? asking : Promise.race([asking, death]));
    }),
  );
}

function mostIn(ledger: readonly LedgerEntry[], windowMs: number): number {
  const counts = ledger.map(({ at: endMs }) =>
    ledger
      .filter(({ at }) => at > endMs - windowMs && at <= endMs)
      .reduce((sum, { weight }) => sum + weight, 0),
  );
  return Math.max(0, ...counts);
}
