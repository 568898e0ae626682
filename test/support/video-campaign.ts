// Publishes videos through bad days: the bot is killed as planned, and people keep pressing buttons until all
// publications have come to rest.
import type { World } from "../../sandbox/world.ts";
import type { BadDay, WantedVideo } from "./video-bad-days.ts";
import { askForCard, createButtonPresser, isAtRest, type StartedPublication } from "./video-person.ts";
import { createPassingTime } from "./video-time.ts";
import {
  recordPublicationMessages,
  readShownState,
  textOf,
  type PublicationMessages,
} from "./video-messages.ts";
import { createKiller, setTrap, type KillCounts } from "./kills.ts";
import { addTrouble, REQUESTS, type Kill } from "./video-traps.ts";
import { watchSettled } from "./until.ts";

export interface Counts {
  /** Kills at the planned request. */
  sprung: number;
  faultsMet: number;
  /** How often a person had to decide an unknown outcome. */
  settled: number;
  /** Publications by final state. */
  readonly ends: Record<string, number>;
}

/** A publication at the end of its day. */
export interface FinishedPublication extends StartedPublication {
  readonly asksApproval: boolean;
  /** Whether it has reached a final state. */
  readonly isAtRest: boolean;
}

export interface VideoCampaign {
  readonly counts: Readonly<Counts>;
  readonly killed: KillCounts;
  readonly messages: PublicationMessages;
  readonly finished: readonly FinishedPublication[];
  readonly playDay: (day: BadDay) => Promise<void>;
}

const AFTERMATH_MS = 60_000;

/** Opens a campaign in a world whose bot runs in its own process. */
export function openVideoCampaign(world: World): VideoCampaign {
  const { bot, channels } = world;
  const killer = createKiller(world);
  const time = createPassingTime(world);
  const titles = new Map<string, string>();
  const messages = recordPublicationMessages(world, (id) => titles.get(id));
  const finished: FinishedPublication[] = [];
  const counts: Counts = { sprung: 0, faultsMet: 0, settled: 0, ends: {} };
  let asksApproval = false;

  async function askForApproval(wanted: boolean): Promise<void> {
    if (wanted !== asksApproval) {
      const options = wanted ? { approval_channel: channels.staff } : { remove: "approval" };
      await world.member("Ada").slash(channels.staff, "video settings", options);
      asksApproval = wanted;
    }
  }

  /** Kills the bot at the planned request, or when nothing more happens; then restarts it. */
  async function killAt(kill: Kill, act: (isSprung: () => boolean) => Promise<unknown>): Promise<void> {
    const trap = setTrap(world, REQUESTS[kill.request], kill);
    await act(() => trap.isSprung());
    counts.sprung += trap.isSprung() ? 1 : 0;
    await killer.kill();
    trap.remove();
    await world.clock.advance(kill.downMs);
    await bot.start();
  }

  /** Presses buttons until the condition is met or all publications have come to rest; `false` if neither happens. */
  function pressUntil(
    publications: readonly StartedPublication[],
    press: () => void,
    isMet: () => boolean,
  ): Promise<boolean> {
    return time.until(() => {
      if (isMet() || publications.every((started) => isAtRest(world, messages, started))) {
        return true;
      }
      if (bot.isRunning) {
        press();
      }
      return false;
    });
  }

  async function askForAll({ videos, killAtCard }: BadDay): Promise<readonly StartedPublication[]> {
    const ask = ({ isScheduled }: WantedVideo, index: number) =>
      askForCard(world, `Video ${finished.length + index + 1}`, isScheduled ? "in 30 minutes" : undefined);
    const [first] = videos;
    if (killAtCard !== undefined && first !== undefined) {
      await killAt(killAtCard, async (isSprung) => {
        const isAnswered = watchSettled(ask(first, 0));
        await time.until(() => isSprung() || isAnswered());
      });
    }
    const publications: StartedPublication[] = [];
    for (const [index, video] of videos.entries()) {
      publications.push(await ask(video, index));
    }
    return publications;
  }

  async function playDay(day: BadDay): Promise<void> {
    await askForApproval(day.asksApproval);
    const publications = await askForAll(day);
    for (const { id, title } of publications) {
      titles.set(id, title);
    }
    const people = publications.map((started, index) =>
      createButtonPresser(world, messages, started, day.videos[index]?.cancelAfterMs),
    );
    const press = () => people.forEach((person) => person.press());
    const troubles = day.troubles.map((trouble) => addTrouble(world, trouble));
    for (const kill of day.kills) {
      await killAt(kill, (isSprung) => pressUntil(publications, press, isSprung));
    }
    for (const trouble of troubles) {
      counts.faultsMet += trouble.hits;
      trouble.remove();
    }
    await pressUntil(publications, press, () => false);
    // The last killed process may have left a claim behind; nothing more may result from it.
    await time.pass(AFTERMATH_MS);
    counts.settled += people.reduce((sum, { settled }) => sum + settled, 0);
    for (const started of publications) {
      const { asksApproval: isAsked } = day;
      finished.push({ ...started, asksApproval: isAsked, isAtRest: isAtRest(world, messages, started) });
      const [message] = messages.of(started.id).own;
      const said = message === undefined ? "nothing" : readShownState(textOf(message));
      counts.ends[said] = (counts.ends[said] ?? 0) + 1;
    }
  }

  return { counts, killed: killer.counts, messages, finished, playDay };
}
