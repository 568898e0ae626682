// Plays one scenario repeatedly in one world. In each round, a different database statement fails, until each has.
// After some calm minutes, the round is checked.
import { InteractionResponseType } from "discord-api-types/v10";
import type { World } from "../../sandbox/world.ts";
import { ServiceError } from "../../src/core/errors.ts";
import { createLog } from "../../src/core/log.ts";
import { openDatabase, type Database } from "../../src/database.ts";
import type { Intercept } from "../../src/storage/open-engine.ts";
import type { DatabaseKind } from "./databases.ts";
import { MORNING, SCENARIOS, type ScenarioName } from "./statement-scenarios.ts";
import { createPassingTime } from "./video-time.ts";
import { openVideoWorld } from "./video-world.ts";

/** `not-run`: the statement was not executed. `answer-lost`: it was, but its answer did not arrive. */
export type StatementFailure = "not-run" | "answer-lost";

export interface StatementCampaign {
  readonly scenario: ScenarioName;
  readonly kind: DatabaseKind;
  readonly failure: StatementFailure;
  /** 1 (default): each statement fails. 10: a tenth of them. */
  readonly every?: number;
  /** How videos are uploaded. Default `simple`. */
  readonly upload?: "simple" | "chunked";
}

/** The result of a campaign. */
export interface StatementReport {
  /** Statements in a round without failures. */
  readonly statements: number;
  /** Rounds with a failure. */
  readonly injected: number;
  /** How often a member was told that the database is unavailable. */
  readonly explained: number;
  /** One line for each broken guarantee, with the statement that failed. */
  readonly broken: readonly string[];
}

const CALM_MS = 3 * 60_000;
/** More than are needed. */
const MAX_ROUNDS = 1_000;
/** One or more lists of parameters: statements that differ only in their length count as the same. */
const LISTS = /\((?:\?|\$\d+)(?:, (?:\?|\$\d+))*\)(?:, \((?:\?|\$\d+)(?:, (?:\?|\$\d+))*\))*/g;

/** Plays a scenario until each of its statements, or the requested share, has failed once. */
export async function failEachStatement(campaign: StatementCampaign): Promise<StatementReport> {
  const { scenario, kind, failure, every = 1, upload = "simple" } = campaign;
  await using empty = await kind.create();
  const fault = createStatementFault(failure, every);
  await using world = await openVideoWorld({
    at: MORNING,
    env: { DATABASE_URL: empty.url, TRANSPORT_DIALECT: "public", VIDEO_UPLOAD: upload },
    video: { windowBytes: () => 25_000 },
    // discord.js waits for a channel's bucket in real time, but the clock runs faster.
    settings: { buckets: { "*": { limit: 1_000, windowMs: 1_000 } } },
    intercept: fault.intercept,
  });
  await using database = await openBeside(world, empty.url);
  await using rejections = listenToRejections();
  const members = listenToMembers(world);
  const time = createPassingTime(world, [world.bot], () => fault.pending > 0);
  const prepare = await SCENARIOS[scenario]({ world, time, database });
  const broken: string[] = [];
  for (let injected = 0; injected < MAX_ROUNDS; injected += 1) {
    const round = await prepare();
    fault.arm();
    const trouble = await round.play().then(
      () => [],
      (error: unknown) => [String(error)],
    );
    const { statements, failed } = fault.disarm();
    await time.pass(CALM_MS);
    const findings = [...trouble, ...(await round.check()), ...members.take(), ...rejections.take()];
    broken.push(...findings.map((finding) => `${failed ?? "none failed"}: ${finding}`));
    if (failed === undefined) {
      return { statements, injected, explained: members.explained, broken };
    }
  }
  throw new Error(`after ${MAX_ROUNDS} rounds, there are still statements that have not failed`);
}

/**
 * In each round, makes a statement fail that has not failed before, as if its connection broke. Statements are
 * identified by their text and by how often it has occurred in the round, because their order varies. All commits have
 * the same text, so they are identified by the statement before.
 */
function createStatementFault(failure: StatementFailure, every: number) {
  const known = new Set<string>();
  const seen = new Map<string, number>();
  let isArmed = false;
  let last = "";
  let failed: string | undefined;

  /** Whether this statement must fail. Later ones are left to the next round. */
  function mustFail(statement: string): boolean {
    const text = statement === "commit" ? `commit after ${last}` : statement.replaceAll(LISTS, "(…)");
    last = text;
    const times = (seen.get(text) ?? 0) + 1;
    seen.set(text, times);
    const name = `${text}, time ${times}`;
    if (!isArmed || failed !== undefined || known.has(name)) {
      return false;
    }
    known.add(name);
    const isTurn = known.size % every === 0;
    failed = isTurn ? name : undefined;
    return isTurn;
  }

  let pending = 0;

  const intercept: Intercept = async (statement, run) => {
    pending += 1;
    try {
      if (!mustFail(statement)) {
        return await run();
      }
      // A transaction that has only begun ends with its connection.
      if (failure === "answer-lost" && statement !== "begin") {
        await run();
      }
    } finally {
      pending -= 1;
    }
    throw new ServiceError("storage", "unavailable", failure);
  };

  return {
    intercept,
    /** The number of pending statements. */
    get pending() {
      return pending;
    },
    arm(): void {
      seen.clear();
      failed = undefined;
      isArmed = true;
    },
    /** Stops failing statements. Returns how many there were and which one failed. */
    disarm() {
      isArmed = false;
      return { statements: seen.values().reduce((sum, times) => sum + times, 0), failed };
    },
  };
}

/** Opens the bot's database a second time, for the checks. */
async function openBeside({ clock }: World, url: string): Promise<Database & AsyncDisposable> {
  const log = createLog({ level: "silent", secrets: [] });
  const database = await openDatabase({ url, clock, databaseNow: () => clock.now(), log, exclusive: false });
  return { ...database, [Symbol.asyncDispose]: () => database.close() };
}

function listenToRejections() {
  const heard: string[] = [];
  const hear = (error: unknown): void => void heard.push(`unhandled rejection: ${String(error)}`);
  process.on("unhandledRejection", hear);
  return {
    take: () => heard.splice(0),
    async [Symbol.asyncDispose]() {
      process.off("unhandledRejection", hear);
    },
  };
}

/** The bot's sentences for a bug, and for an unavailable database, which is not a bug. */
const BUG = "Something went wrong on my side";
const AWAY = "I can't reach my database right now";

/** Finds members who got no answer, or were told of a bug. */
function listenToMembers({ discord, clock }: World) {
  let fromMs = clock.now();
  let bugs = 0;
  let explained = 0;
  discord.changes.listen((change) => {
    if (change.type === "message-created" || change.type === "message-updated") {
      const words = JSON.stringify(change.message.components);
      bugs += words.includes(BUG) ? 1 : 0;
      explained += words.includes(AWAY) ? 1 : 0;
    }
  });
  return {
    get explained() {
      return explained;
    },
    /** One line for each finding since the last call. */
    take(): readonly string[] {
      const silent = discord.state.interactions
        .values()
        .filter(({ createdAtMs }) => createdAtMs >= fromMs)
        .filter(
          ({ callbackKind, isLoading, isOriginalEdited, messageIds }) =>
            callbackKind === undefined ||
            isLoading ||
            (callbackKind === InteractionResponseType.DeferredMessageUpdate &&
              !isOriginalEdited &&
              messageIds.length === 0),
        )
        .map(
          ({ command, callbackKind }) => `${command?.name ?? "a press"} was not answered (${callbackKind})`,
        )
        .toArray();
      const puzzled = bugs === 0 ? [] : [`members saw the sentence for a bug ${bugs} times`];
      fromMs = clock.now();
      bugs = 0;
      return [...silent, ...puzzled];
    },
  };
}
