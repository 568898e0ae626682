// A fair queue for work on pictures. Servers take turns, and so do the members of a server, so that somebody with many
// requests does not keep others waiting for long.
import { LRUCache } from "lru-cache";
import type { Asker } from "../core/asker.ts";
import { ServiceError, UserError } from "../core/errors.ts";

export interface QueueLimits {
  /** How many jobs run at the same time. Each person has at most one running. */
  readonly concurrency: number;
  /** How many jobs may wait for one person, for one server, and in all. A DM counts as a server of its own. */
  readonly maxPerPerson: number;
  readonly maxPerServer: number;
  readonly maxWaiting: number;
}

/** For the style service. There is enough memory for two pictures at a time, and most services accept no more. */
export const SERVICE_QUEUE: QueueLimits = {
  concurrency: 2,
  maxPerPerson: 2,
  maxPerServer: 5,
  maxWaiting: 40,
};
/** Preparing a picture takes about a second. */
export const PREPARING_QUEUE: QueueLimits = { ...SERVICE_QUEUE, maxPerServer: 10 };

export interface WaitOptions {
  readonly signal: AbortSignal;
  /** Called with each new position in the queue; 1 is the next. */
  readonly onPosition?: (position: number) => void;
  /** Background work runs only if nobody else waits, however long that takes, and is never refused (default: false). */
  readonly isBackground?: boolean;
}

interface Waiting extends Required<Omit<WaitOptions, "signal">> {
  readonly person: string;
  readonly place: string;
  readonly begin: () => void;
  position: number | undefined;
}

/** The number of people and servers whose last turn is remembered; anyone else counts as new. */
const REMEMBERED = 2_000;

export function createQueue({ concurrency, maxPerPerson, maxPerServer, maxWaiting }: QueueLimits) {
  const waiting: Waiting[] = [];
  const busy = new Set<string>();
  let underWay = 0;
  let turn = 0;
  const turns = new LRUCache<string, number>({ max: REMEMBERED });

  function advance(): void {
    for (;;) {
      const next = underWay < concurrency ? inOrder().find(({ person }) => !busy.has(person)) : undefined;
      if (next === undefined) {
        break;
      }
      waiting.splice(waiting.indexOf(next), 1);
      turn += 1;
      turns.set(next.place, turn).set(next.person, turn);
      busy.add(next.person);
      underWay += 1;
      next.begin();
    }
    for (const [index, each] of inOrder().entries()) {
      if (each.position !== index + 1) {
        each.position = index + 1;
        each.onPosition(index + 1);
      }
    }
  }

  /** The waiting jobs in the order of their turns. Each turn changes who is next, so this simulates all of them. */
  function inOrder(): readonly Waiting[] {
    const rest = [...waiting];
    const given = new Map<string, number>();
    const turnOf = (key: string) => given.get(key) ?? turns.peek(key) ?? 0;
    const ordered: Waiting[] = [];
    for (let at = turn + 1; rest.length > 0; at += 1) {
      const next = rest.reduce((first, other) => (comesBefore(other, first, turnOf) ? other : first));
      rest.splice(rest.indexOf(next), 1);
      given.set(next.place, at).set(next.person, at);
      ordered.push(next);
    }
    return ordered;
  }

  function refuse(person: string, place: string): void {
    if (waiting.filter((each) => each.person === person).length >= maxPerPerson) {
      throw new UserError(
        "You already have pictures waiting. Please wait until one is done, or cancel one.",
        "busy",
      );
    }
    if (
      waiting.filter((each) => each.place === place).length >= maxPerServer ||
      waiting.length >= maxWaiting
    ) {
      throw new UserError(
        "Lots of pictures are waiting right now. Please try again in a minute or two.",
        "busy",
      );
    }
  }

  return {
    state: () => ({ waiting: waiting.length, underWay }),
    /** Throws a UserError if too many jobs wait; ServiceError `aborted` if the signal aborts before the job starts. */
    async run<T>(
      by: Asker,
      work: () => Promise<T>,
      { signal, onPosition = () => undefined, isBackground = false }: WaitOptions,
    ): Promise<T> {
      const person = `p${by.userId}`;
      const place = by.guildId === undefined ? `d${by.userId}` : `g${by.guildId}`;
      throwIfAborted(signal);
      if (!isBackground) {
        refuse(person, place);
      }
      await new Promise<void>((resolve, reject) => {
        const entry: Waiting = { person, place, isBackground, begin, onPosition, position: undefined };
        function begin(): void {
          signal.removeEventListener("abort", leave);
          resolve();
        }
        function leave(): void {
          waiting.splice(waiting.indexOf(entry), 1);
          reject(abortedError());
          advance();
        }
        signal.addEventListener("abort", leave, { once: true });
        waiting.push(entry);
        advance();
      });
      try {
        return await work();
      } finally {
        busy.delete(person);
        underWay -= 1;
        advance();
      }
    },
  };
}

export type Queue = ReturnType<typeof createQueue>;

function comesBefore(one: Waiting, other: Waiting, turnOf: (key: string) => number): boolean {
  const differences = [
    Number(one.isBackground) - Number(other.isBackground),
    turnOf(one.place) - turnOf(other.place),
    turnOf(one.person) - turnOf(other.person),
  ];
  return (differences.find((difference) => difference !== 0) ?? 0) < 0;
}

/** Throws a ServiceError `aborted`. */
export function throwIfAborted(signal: AbortSignal): void {
  if (signal.aborted) {
    throw abortedError();
  }
}

function abortedError(): ServiceError {
  return new ServiceError("style", "aborted", "given up before it was done");
}
