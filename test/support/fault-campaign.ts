// A member acts, one thing goes wrong, and the act must still get exactly one answer, many times over. The same seed
// gives the same acts and faults in the same order.
import { readFileSync } from "node:fs";
import * as fc from "fast-check";
import type { Answer, SeenMessage } from "../../sandbox/discord/actors/member-types.ts";
import type { AddedFault } from "../../sandbox/faults/list.ts";
import type { World } from "../../sandbox/world.ts";
import { openCheckedWorld } from "./checked-world.ts";
import { until } from "./until.ts";

const CALLBACK = /^\/interactions\/[^/]+\/[^/]+\/callback$/;

const troubles = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      at: fc.constant("discord" as const),
      do: fc.constantFrom(
        "500",
        "500-after",
        "drop",
        "drop-after",
        "hang",
        "hang-after",
        "slow",
        "429",
        "429-global",
        "429-shared",
        "malformed",
        "truncated",
      ),
      times: fc.constantFrom(1, 1, 1, 2),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      at: fc.constant("transport" as const),
      do: fc.constantFrom(
        "500",
        "502",
        "503",
        "drop",
        "drop-after",
        "slow",
        "429",
        "malformed",
        "truncated",
        "html",
        "200-error",
        "401",
        "renamed-fields",
        "text-for-list",
        "odd-values",
      ),
      times: fc.constantFrom(1, 3),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      at: fc.constant("gateway" as const),
      do: fc.constantFrom("drop", "reconnect", "invalid-resumable", "invalid", "duplicate", "delay"),
      times: fc.constant(1),
    }),
  },
);

const step = fc.record({
  act: fc.constantFrom("about", "help", "departures", "departures", "mistyped", "refresh", "later", "turn"),
  station: fc.constantFrom("YRK", "LDS", "EDB", "KGX", "BHM", "MAN", "GLC", "BRI"),
  trouble: troubles,
});

type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

/** The result of a campaign. */
export interface CampaignReport {
  readonly steps: number;
  /** One line for each act with a broken guarantee. */
  readonly broken: readonly string[];
  /** Faults that a request really hit. */
  readonly hits: number;
  /** Resident memory of the bot's process, after two fifths of the steps, when it has warmed up, and at the end. */
  readonly earlyMegabytes: number;
  readonly lateMegabytes: number;
  /** Whether the same process is still running. */
  readonly sameProcess: boolean;
}

/** The lowest memory within this many steps is used, so that uncollected garbage does not count. */
const MEASURED_STEPS = 100;

/** Plays `steps` acts with one fault each. */
export async function runCampaign(seed: number, steps: number): Promise<CampaignReport> {
  await using world = await openCheckedWorld({
    bot: "process",
    clock: "running",
    env: { LOG_LEVEL: "fatal" },
  });
  const firstPid = world.bot.pid;
  const broken: string[] = [];
  let hits = 0;
  const megabytes: number[] = [];
  let board: SeenMessage | undefined;
  for (const [index, one] of fc.sample(step, { seed, numRuns: steps }).entries()) {
    const before = countMessages(world);
    const raised = await raise(world, one);
    const name = `${index}: ${one.act} with ${one.trouble.do} at ${one.trouble.at}`;
    try {
      const answer = await perform(world, one, board);
      hits += raised.hits();
      raised.end();
      await settled(world);
      const grown = countMessages(world) - before;
      const isUpdate = board !== undefined && answer.kind === "message" && answer.message.id === board.id;
      if (grown !== (isUpdate ? 0 : 1)) {
        broken.push(`${name}: ${grown} new messages`);
      }
      if (answer.kind === "message" && answer.message.attachments.length === 0 && isBoard(answer)) {
        board = answer.message;
      }
    } catch (error) {
      raised.end();
      broken.push(`${name}: ${String(error)}`);
    }
    megabytes.push(residentMegabytes(world));
  }
  const warmedUp = Math.floor(0.4 * steps);
  return {
    steps,
    broken,
    hits,
    earlyMegabytes: Math.min(...megabytes.slice(warmedUp, warmedUp + MEASURED_STEPS)),
    lateMegabytes: Math.min(...megabytes.slice(-MEASURED_STEPS)),
    sameProcess: world.bot.isRunning && world.bot.pid === firstPid,
  };
}

function perform(world: World, { act, station }: Step, board: SeenMessage | undefined): Promise<Answer> {
  const ada = world.member("Ada");
  const channel = world.channels.trains;
  const ask = () => ada.slash(channel, "departures", { station, view: "text" });
  switch (act) {
    case "about":
    case "help":
      return ada.slash(channel, act);
    case "mistyped":
      return ada.slash(channel, "departures", { station: "Yrok" });
    case "departures":
      return ask();
    case "refresh":
    case "later":
    case "turn":
      return board === undefined ? ask() : press(world, board, act);
  }
}

function press(world: World, board: SeenMessage, act: "refresh" | "later" | "turn"): Promise<Answer> {
  const turn = /Departures/.test(board.text) ? "Arrivals" : "Departures";
  return world.member("Ada").click(board, { refresh: "Refresh", later: "Later", turn }[act]);
}

function isBoard({ message }: Answer): boolean {
  return !message.ephemeral && /^### (Departures|Arrivals)/.test(message.text) && hasLater(message);
}

/** Late in the day there may be nothing later. */
function hasLater({ components }: SeenMessage): boolean {
  return (
    JSON.stringify(components).includes('"Later"') && !JSON.stringify(components).includes('"disabled":true')
  );
}

interface Raised {
  hits(): number;
  end(): void;
}

async function raise(world: World, { trouble }: Step): Promise<Raised> {
  if (trouble.at === "gateway") {
    const fault = await shake(world, trouble.do);
    return { hits: () => fault?.hits ?? 1, end: () => fault?.remove() };
  }
  const fault =
    trouble.at === "discord"
      ? world.discord.faults.add({ method: "POST", path: CALLBACK, do: trouble.do, times: trouble.times })
      : world.transport.faults.add({ path: /./, do: trouble.do, times: trouble.times });
  return {
    hits: () => fault.hits,
    end: () => fault.remove(),
  };
}

/** Returns the fault that is still to be hit; `undefined` if it happened at once. */
async function shake(world: World, kind: string): Promise<AddedFault | undefined> {
  const { gateway } = world.discord;
  switch (kind) {
    case "duplicate":
    case "delay":
      return gateway.faults.add({ event: "INTERACTION_CREATE", do: kind });
    case "drop":
      gateway.dropSockets();
      return undefined;
    case "reconnect":
      gateway.askReconnect();
      return undefined;
    case "invalid-resumable":
      gateway.invalidate(true);
      return undefined;
    default:
      // Discord, too, loses events between two sessions: nobody acts until the next one is open.
      gateway.invalidate(false);
      await until(() => gateway.sessions.size > 0);
      return undefined;
  }
}

function countMessages(world: World): number {
  return world.member("Ada").messages(world.channels.trains).length;
}

/** Waits until every request is answered, so that a second message would be visible. */
function settled(world: World): Promise<void> {
  return until(() =>
    world.discord.requests.every(({ status, fault }) => status !== undefined || fault !== undefined),
  );
}

function residentMegabytes(world: World): number {
  const status = readFileSync(`/proc/${world.bot.pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1_024;
}
