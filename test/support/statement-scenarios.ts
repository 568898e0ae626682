// The scenarios during which statements fail: one publication, one slot of a board, one watch, one command. Each can be
// played repeatedly in one world.
import type { Answer, SeenMessage } from "../../sandbox/discord/actors/member-types.ts";
import type { Member } from "../../sandbox/discord/actors/member.ts";
import type { World } from "../../sandbox/world.ts";
import type { Database } from "../../src/database.ts";
import { subscribeBoard, watchBoardPosts } from "./board-posts.ts";
import { askForCard, createButtonPresser, isAtRest, type StartedPublication } from "./video-person.ts";
import type { PassingTime } from "./video-time.ts";
import { recordPublicationMessages } from "./video-messages.ts";
import { checkPublication } from "./video-checks.ts";
import { watchSettled } from "./until.ts";

/** The environment of a scenario. */
export interface Stage {
  readonly world: World;
  readonly time: PassingTime;
  /** The bot's database, for the checks. */
  readonly database: Database;
}

/** One run of a scenario. */
export interface Round {
  /** Plays the scenario; meanwhile a statement may fail. Rejects if a member gets neither the result nor a reason. */
  play(): Promise<void>;
  /** Returns one line for each broken guarantee. */
  check(): Promise<readonly string[]>;
}

/** Returns a function that prepares the next round. */
type Scenario = (stage: Stage) => Promise<() => Promise<Round>>;

/** A working day in the summer timetable, which is long enough for a round a day. */
export const MORNING = "2026-04-13T06:10:00Z";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** Background work of the bot is done by then. */
const AFTERWARDS_MS = 10_000;
/** On the clock; much longer than it takes. */
const MAX_MS = 10 * MINUTE_MS;

/** The message that the database is unavailable, or that the explanation is in a private message. */
const EXPLAINED =
  /^(?:I can't reach my database right now\. Please try again|-# Only the person who asked can see the answer\.)/;
const MAX_ATTEMPTS = 3;

/** Acts, and retries if the bot explains that its database is unavailable. Throws for any other unexpected answer. */
async function retryWhileAway(
  time: PassingTime,
  act: () => Promise<Answer>,
  isDone: RegExp,
): Promise<SeenMessage> {
  for (let tries = 1; ; tries += 1) {
    const { message, text } = await answerTo(time, act());
    if (isDone.test(text)) {
      return message;
    }
    if (!EXPLAINED.test(text) || tries === MAX_ATTEMPTS) {
      throw new Error(`unexpected answer: ${text}`);
    }
  }
}

/** Lets time pass until the answer arrives. */
async function answerTo<T>(time: PassingTime, waiting: Promise<T>): Promise<T> {
  await time.until(watchSettled(waiting));
  return waiting;
}

/** A publication, from the card to the published video. */
const publication: Scenario = async ({ world, time, database }) => {
  const titles = new Map<string, string>();
  const messages = recordPublicationMessages(world, (id) => titles.get(id));
  let rounds = 0;
  let reported = 0;

  async function askAgain(title: string): Promise<StartedPublication> {
    try {
      return await answerTo(time, askForCard(world, title, undefined));
    } catch (error) {
      if (!String(error).includes("the answer is not a card: I can't reach my database")) {
        throw error;
      }
      return answerTo(time, askForCard(world, title, undefined));
    }
  }

  return async () => {
    rounds += 1;
    const title = `Video ${rounds}`;
    let started: StartedPublication | undefined;
    return {
      async play() {
        const asked = await askAgain(title);
        started = asked;
        titles.set(asked.id, title);
        const person = createButtonPresser(world, messages, asked);
        await time.until(() => {
          person.press();
          return isAtRest(world, messages, asked);
        }, MAX_MS);
        await time.pass(AFTERWARDS_MS);
      },
      async check() {
        if (started === undefined) {
          return ["there is no card"];
        }
        const finished = { ...started, asksApproval: false, isAtRest: isAtRest(world, messages, started) };
        const record = await database.publications.get(started.id);
        const lied = messages.falseStatements.slice(reported);
        reported = messages.falseStatements.length;
        const isPublished = record?.state === "published";
        return [
          ...lied,
          ...checkPublication({ world, messages, finished, record }),
          ...(isPublished ? [] : [`it is ${record?.state}`]),
        ];
      },
    };
  };
};

const SLOT_EVERY_MS = 10 * MINUTE_MS;

/** A slot of a board, from the tick to the message. */
const slot: Scenario = async ({ world, time, database }) => {
  const posts = watchBoardPosts(world);
  const options = { station: "York", mode: "post", every: "10 minutes", view: "text" };
  const id = await subscribeBoard(world, world.channels.trains, options);
  // The first message comes when the board is saved.
  await time.until(() => posts.ever.length > 0, MAX_MS);
  let missed = 0;
  return async () => {
    const slotMs = Math.ceil((world.clock.now() + 1) / SLOT_EVERY_MS) * SLOT_EVERY_MS;
    const own = () => posts.ever.filter((post) => post.slotMs === slotMs);
    await world.clock.set(slotMs);
    return {
      async play() {
        await time.until(() => own().length > 0, MAX_MS / 4);
        await time.pass(AFTERWARDS_MS);
      },
      async check() {
        const record = await database.boards.get(id);
        const lost = (record?.missed ?? 0) - missed;
        missed += lost;
        return [
          ...(own().length + lost === 1 ? [] : [`${own().length} messages, ${lost} counted as missed`]),
          ...(own().length === 0 ? ["the slot was missed"] : []),
          ...(record?.claimedSlotMs === undefined ? [] : ["it is still claimed"]),
        ];
      },
    };
  };
};

/** York to Liverpool via Leeds, at 08:16 on most working days. */
const UID = "W48723";
const ON_TIME = { delayMinutes: 0, cancelled: false, bus: false, platforms: { YRK: "6" } };
const LEAVES_AFTER_MS = 66 * MINUTE_MS;
const TRAIN = { station: "York", time: "8:16", to: "Leeds", ping: true };
/** The flag of a message without a notification sound. */
const SILENT = 1 << 12;

/** A late train, from the tick to the message. */
const watch: Scenario = async ({ world, time }) => {
  const mary = world.member("Mary");
  const dateOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);
  const runs = (ms: number) =>
    world.transport.timetable
      .trainOf(UID, dateOf(ms))
      ?.calls.some(({ departMs }) => departMs === ms + LEAVES_AFTER_MS);
  let morningMs = Date.parse(MORNING);
  return async () => {
    const date = dateOf(morningMs);
    await world.clock.set(morningMs);
    await time.pass(AFTERWARDS_MS);
    world.transport.trains.order(UID, date, ON_TIME);
    const ask = () => mary.slash(world.channels.trains, "watch train", TRAIN);
    const draft = await retryWhileAway(time, ask, /Not saved yet/);
    await retryWhileAway(time, () => mary.click(draft, "Save"), /^Watching/);
    await time.pass(AFTERWARDS_MS);
    const before = mary.messages(mary.dm()).length;
    const told = () => mary.messages(mary.dm()).slice(before);
    world.transport.trains.order(UID, date, { delayMinutes: 7 });
    await world.clock.set(morningMs + 20 * MINUTE_MS);
    do {
      morningMs += DAY_MS;
    } while (runs(morningMs) !== true);
    return {
      async play() {
        await time.until(() => told().length > 0, MAX_MS);
        await time.pass(AFTERWARDS_MS);
      },
      async check() {
        const [message] = told();
        const sounds = told().filter(({ flags }) => (flags & SILENT) === 0).length;
        return [
          ...(told().length === 1 ? [] : [`${told().length} messages`]),
          ...(sounds === 1 ? [] : [`${sounds} sounds`]),
          ...(message?.text.includes("**7 min late**") === true ? [] : [`it says: ${message?.text}`]),
        ];
      },
    };
  };
};

/** A live board and a new subscription. */
const command: Scenario = async ({ world, time, database }) => {
  const grace: Member = world.member("Grace");
  const { trains } = world.channels;
  const options = { station: "Leeds", every: "1 hour", view: "text" };
  return async () => ({
    async play() {
      const departures = () => grace.slash(trains, "departures", { station: "Leeds", view: "text" });
      await retryWhileAway(time, departures, /^### Departures/);
      const subscribe = () => grace.slash(trains, "board subscribe", options);
      const draft = await retryWhileAway(time, subscribe, /Not saved yet/);
      await retryWhileAway(time, () => grace.click(draft, "Save"), /^Saved/);
    },
    async check() {
      const active = (await database.boards.ofGuild(world.guild.id)).filter(
        ({ state }) => state === "active",
      );
      await Promise.all(active.map(({ id }) => database.boards.change(id, { state: "removed" })));
      return active.length === 1 ? [] : [`${active.length} boards were saved`];
    },
  });
};

export const SCENARIOS = { publication, slot, watch, command } as const satisfies Readonly<
  Record<string, Scenario>
>;

export type ScenarioName = keyof typeof SCENARIOS;
