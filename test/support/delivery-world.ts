// The smallest possible caller of src/delivery: a row in memory for each place, and one version that all places show.
// Its processes can die or freeze in the middle of anything.
import { formatComponentId, parseComponentId } from "../../src/core/component-id.ts";
import { createLog } from "../../src/core/log.ts";
import type { Reply } from "../../src/core/reply.ts";
import { type DeliveryEnd, type RetryLater, createDeliver, formatNonce } from "../../src/delivery/deliver.ts";
import { pauseWithNotice } from "../../src/delivery/pause.ts";
import { type Claim, createClaims, createMaintenance, createRun } from "../../src/delivery/runner.ts";
import { beginLife } from "./life.ts";
import { createFakeDiscord } from "./fake-messenger.ts";
import { createStillClock } from "./still-clock.ts";

const log = createLog({ level: "silent", secrets: [] });

interface PlaceRow {
  readonly id: string;
  revision: number;
  state: "active" | "unwanted" | "paused";
  claimedUntilMs: number;
  /** When a message of this turn may first have been sent. */
  sinceMs: number | undefined;
  turn: number;
  messageId: string | undefined;
  messageTurn: number;
  shownHash: string | undefined;
}

interface PlaceClaim extends Claim {
  row: PlaceRow;
}

export interface Process {
  /** Runs a tick; settles when its work is done, or the process has died or is frozen. */
  tick(): Promise<void>;
  readonly isOver: boolean;
  readonly isFrozen: boolean;
  /** Freezes the process: none of its calls happen until it is thawed. */
  freeze(): void;
  /** Continues the tick in which it was frozen; settles as `tick` does. */
  thaw(): Promise<void>;
  /** How far its clock is ahead. */
  aheadMs: number;
}

/** `nonceMs`: how long Discord remembers nonces. `repostIfDeleted`: as in `Delivery`. */
export function openDeliveryWorld({
  nonceMs,
  repostIfDeleted,
}: {
  readonly nonceMs: number;
  readonly repostIfDeleted: boolean;
}) {
  const clock = createStillClock();
  const discord = createFakeDiscord(clock, nonceMs);
  const rows = ["c1", "c2"].map((id): PlaceRow => ({
    id,
    revision: 0,
    state: "active",
    claimedUntilMs: -Infinity,
    sinceMs: undefined,
    turn: 1,
    messageId: undefined,
    messageTurn: 0,
    shownHash: undefined,
  }));
  const world = {
    clock,
    discord,
    rows,
    /** The version to show. */
    version: 1,
    /** Whether there is nothing to show: then the process only searches for a message that may have been sent. */
    isQuiet: false,
    /** Whether the next process that renders a message freezes before it is done. */
    freezesAtRender: false,
    begin: () => beginProcess(),
  };

  /** Changes a row if it has not changed since it was read, as a database would. */
  function change(seen: PlaceRow, changes: Partial<PlaceRow>): PlaceRow | undefined {
    const index = rows.findIndex(({ id, revision }) => id === seen.id && revision === seen.revision);
    const current = rows[index];
    if (current === undefined) {
      return undefined;
    }
    const changed = { ...current, ...changes, revision: current.revision + 1 };
    rows[index] = changed;
    return changed;
  }

  /** The database: its clock is right, and it never answers synchronously. */
  const database = {
    async due(): Promise<readonly PlaceRow[]> {
      await soon();
      return rows.filter(
        ({ state, claimedUntilMs, shownHash, sinceMs }) =>
          state === "active" &&
          claimedUntilMs <= clock.elapsed() &&
          (sinceMs !== undefined || (!world.isQuiet && shownHash !== hashOf(world.version))),
      );
    },
    async claim(
      claims: readonly { readonly seen: PlaceRow; readonly sinceMs: number }[],
      forMs: number,
    ): Promise<readonly (PlaceRow | undefined)[]> {
      await soon();
      return claims.map(({ seen, sinceMs }) =>
        change(seen, { claimedUntilMs: clock.elapsed() + forMs, sinceMs: seen.sinceMs ?? sinceMs }),
      );
    },
    async change(seen: PlaceRow, changes: Partial<PlaceRow>): Promise<void> {
      await soon();
      change(seen, changes);
    },
  };

  function beginProcess(): Process {
    const life = beginLife();
    const ice = createIce();
    const process = { aheadMs: 0 };
    const ownClock = { ...clock, now: () => clock.now() + process.aheadMs };
    const store = life.guard(ice.freezable(database));
    const messenger = life.guard(ice.freezable(discord.messenger(() => life.end())));
    const deliver = createDeliver({ messenger, clock: ownClock, log });
    const claims = createClaims<PlaceClaim>({
      clock: ownClock,
      log,
      async write(wanted, forMs) {
        const sinceMs = ownClock.now();
        const changed = await store.claim(
          wanted.map(({ row }) => ({ seen: row, sinceMs })),
          forMs,
        );
        const won = wanted.filter((claim, index) => {
          claim.row = changed[index] ?? claim.row;
          return changed[index] !== undefined;
        });
        return new Set(won);
      },
    });

    async function work(claim: PlaceClaim, isUnsent: boolean): Promise<void> {
      const { id, turn, messageId, messageTurn, shownHash, sinceMs } = claim.row;
      const end = await deliver<never>({
        logFields: { place: id },
        place: { channelId: id },
        message: messageId === undefined ? undefined : { channelId: id, messageId },
        shownHash,
        sinceMs: isUnsent ? undefined : sinceMs,
        nonce: formatNonce("place", id, turn),
        isThisMessage: (componentIds) => componentIds.includes(markOf(id, turn)),
        render: (how) =>
          world.isQuiet
            ? undefined
            : {
                hash: hashOf(world.version),
                async reply() {
                  const reply = replyOf(world.version, markOf(id, how === "edit" ? messageTurn : turn));
                  if (world.freezesAtRender) {
                    world.freezesAtRender = false;
                    ice.freeze();
                  }
                  await ice.thawed();
                  return reply;
                },
              },
        isSafe: () => claims.isSafe(claim),
        repostIfDeleted,
      });
      const last = end.end === "stopped" ? await pause(claim, isUnsent) : end;
      if (last !== undefined) {
        await claims.record(claim, () => store.change(claim.row, changesAfter(last, claim.row)));
      }
    }

    function pause(claim: PlaceClaim, isUnsent: boolean): Promise<RetryLater | undefined> {
      const { id } = claim.row;
      return pauseWithNotice({ log, logFields: { place: id }, isUnsent }, async () => ({
        ways: [() => messenger.post(`notice ${id}`, { blocks: [] }, { nonce: formatNonce("paused", id) })],
        pause: () =>
          store.change(claim.row, { state: "paused", claimedUntilMs: -Infinity, sinceMs: undefined }),
      }));
    }

    function changesAfter(
      end: Exclude<DeliveryEnd, { readonly end: "stopped" }>,
      { turn, messageTurn }: PlaceRow,
    ): Partial<PlaceRow> {
      const done = { claimedUntilMs: -Infinity, sinceMs: undefined, turn: turn + 1 };
      switch (end.end) {
        case "sent": {
          const { message, hash, how } = end;
          const isNew = how !== "edited";
          return {
            ...done,
            messageId: message.messageId,
            messageTurn: isNew ? turn : messageTurn,
            shownHash: hash,
          };
        }
        case "unchanged":
          return done;
        case "gone":
          return { ...done, state: "unwanted", messageId: undefined };
        case "later":
          return {
            claimedUntilMs: clock.elapsed() + end.waitMs,
            ...(end.isUnsent && { sinceMs: undefined }),
          };
      }
    }

    const run = createRun({
      claims,
      maintain: createMaintenance({ clock: ownClock, log, of: "places" }, async () => undefined),
      async step() {
        const due = (await store.due()).filter(({ id }) => !claims.has(id));
        const unsent = new Set(due.filter(({ sinceMs }) => sinceMs === undefined).map(({ id }) => id));
        const claimed = await claims.take(
          due.map((row) => ({ key: row.id, row, safeUntilElapsedMs: -Infinity })),
        );
        claimed.forEach((claim) => claims.begin(claim, () => work(claim, unsent.has(claim.key))));
        return false;
      },
    });

    let current: Promise<void> = Promise.resolve();
    const settled = () => Promise.race([current, life.ended, ice.frozen()]);
    return {
      get aheadMs() {
        return process.aheadMs;
      },
      set aheadMs(ms) {
        process.aheadMs = ms;
      },
      tick(): Promise<void> {
        current = run();
        return settled();
      },
      get isOver() {
        return life.isOver;
      },
      get isFrozen() {
        return ice.isFrozen;
      },
      freeze: () => ice.freeze(),
      thaw(): Promise<void> {
        ice.thaw();
        return settled();
      },
    };
  }

  return world;
}

export function hashOf(version: number): string {
  return `version ${version}`;
}

/** The first text of a message. */
export function shownBy({ blocks: [first] }: Reply): string | undefined {
  return first?.type === "text" ? first.text : undefined;
}

function markOf(id: string, turn: number): string {
  return formatComponentId({ command: "place", action: "refresh", args: { p: id, t: String(turn) } });
}

function replyOf(version: number, mark: string): Reply {
  const target = parseComponentId(mark);
  if (target === undefined) {
    throw new Error(`not a mark: ${mark}`);
  }
  return {
    blocks: [
      { type: "text", text: hashOf(version) },
      { type: "buttons", buttons: [{ type: "button", label: "Refresh", target }] },
    ],
  };
}

function soon(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

/** Blocks calls while it is frozen. */
function createIce() {
  let thawed: PromiseWithResolvers<void> | undefined;
  let froze = Promise.withResolvers<void>();
  return {
    get isFrozen() {
      return thawed !== undefined;
    },
    /** Settles when it freezes. */
    frozen: () => froze.promise,
    /** Resolves as soon as it is not frozen. */
    thawed: () => thawed?.promise,
    freeze(): void {
      thawed ??= Promise.withResolvers<void>();
      froze.resolve();
    },
    thaw(): void {
      froze = Promise.withResolvers<void>();
      thawed?.resolve();
      thawed = undefined;
    },
    freezable<T extends object>(thing: T): T {
      return new Proxy(thing, {
        get(target, name) {
          const value: unknown = Reflect.get(target, name);
          return typeof value === "function"
            ? async (...args: readonly unknown[]): Promise<unknown> => {
                await thawed?.promise;
                const result: unknown = await Reflect.apply(value, target, args);
                await thawed?.promise;
                return result;
              }
            : value;
        },
      });
    },
  };
}
