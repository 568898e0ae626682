// The messages of a publication: its own, which everybody there may see, and the one that asks for approval. Each is
// posted once and then edited. Once, whatever dies and whatever answer is lost: the row says before its own message is
// posted that it may have been; whoever finds that looks for it in the channel, by its mark. What is posted carries a
// nonce, for which Discord makes no second message for some minutes: that covers a request that is still on its way
// while the channel is read. Whether anything can be shown never stops a publication.
import type { Clock } from "../../core/clock.ts";
import type { Log } from "../../core/log.ts";
import type { Reply } from "../../core/reply.ts";
import { type Messenger, MessengerError, type PostedMessage } from "../../core/ports.ts";
import { formatNonce, hashContent } from "../../delivery/nonce.ts";
import type { Hold } from "./hold.ts";
import { formatProblem, plainProblem } from "./kept-problem.ts";
import { type Place, approvalPlace, hasPublicationMark, ownPlace } from "./message-places.ts";
import type { PresentPublication } from "./publish.ts";
import type { LiveProgress, ReadPublication } from "./read-publication.ts";
import { isOver } from "./states.ts";

/** What keeping stands on. */
export interface KeepMessagesDependencies {
  readonly messenger: Pick<Messenger, "post" | "edit" | "ownMessages" | "conversation">;
  readonly read: ReadPublication;
  readonly present: PresentPublication;
  readonly clock: Clock;
  readonly log: Log;
}

/** Brings the messages of what is held up to date; gives when to try again, `undefined` where they are. Throws as Hold does. */
export type KeepMessages = (hold: Hold, live?: LiveProgress) => Promise<number | undefined>;

/** In place of a hash: somebody deleted it, or it cannot be: there will be none. */
export const UNWANTED = "unwanted";
/** In place of a hash: it may not be written there. At the end its submitter is told in person. */
const NOT_ALLOWED = "not-allowed";

/** Discord's own advice for what changes by itself. */
const EDIT_EVERY_MS = 2_000;
const RETRY_MS = 5_000;
const LONGEST_RETRY_MS = 5 * 60_000;
/** A post whose answer was lost is not repeated for longer: see the messenger. */
const TURNS_UP_MS = 2 * 60_000;
const SEEK_EVERY_MS = 30_000;
/** By then nobody waits for it any more. */
const GIVE_UP_MS = 24 * 3_600_000;
/** By so much Discord's clock, which is in the ids of messages, may be behind ours. */
const SKEW_MS = 60_000;
const MOST_REMEMBERED = 1_000;

/** Makes what keeps. Remembers when it edited what. */
export function createKeepMessages(deps: KeepMessagesDependencies): KeepMessages {
  const { messenger, read, present, clock, log } = deps;
  const editedAtMs = new Map<string, number>();

  function remember(key: string): void {
    editedAtMs.delete(key);
    editedAtMs.set(key, clock.elapsed());
    if (editedAtMs.size > MOST_REMEMBERED) {
      const [oldest = key] = editedAtMs.keys();
      editedAtMs.delete(oldest);
    }
  }

  async function find(hold: Hold, place: Place, sinceMs: number): Promise<PostedMessage | undefined> {
    const { id } = hold.record;
    const messages = await messenger.ownMessages(place.channelId, sinceMs - SKEW_MS);
    return messages.find(({ componentIds }) =>
      hasPublicationMark(componentIds, { id, forApprovers: place.forApprovers }),
    );
  }

  /** Looks for what may not be posted any more; what was on its way may still turn up for a while. */
  async function seek(hold: Hold, place: Place): Promise<number | undefined> {
    const { createdAtMs, stateAtMs } = hold.record;
    const found = await find(hold, place, place.doubtSinceMs ?? createdAtMs);
    const nowMs = clock.now();
    if (found === undefined && nowMs - stateAtMs < TURNS_UP_MS) {
      return nowMs + SEEK_EVERY_MS;
    }
    const shownHash = found === undefined ? UNWANTED : undefined;
    await hold.note(place.write({ messageId: found?.messageId, shownHash }));
    return found === undefined ? undefined : nowMs + EDIT_EVERY_MS;
  }

  /** Says whether it is known what the message shows. */
  async function post(hold: Hold, place: Place, reply: Reply, shownHash: string): Promise<boolean> {
    const { doubtSinceMs, key, channelId, forApprovers } = place;
    const found = doubtSinceMs === undefined ? undefined : await find(hold, place, doubtSinceMs);
    if (found !== undefined) {
      await hold.note(place.write({ messageId: found.messageId, shownHash: undefined }));
      return false;
    }
    if (doubtSinceMs === undefined) {
      await hold.note({ postingSinceMs: clock.now() });
    }
    const nonce = formatNonce(key, channelId);
    const { messageId } = await messenger.post(channelId, reply, { nonce, silent: true });
    remember(key);
    // Where there was a doubt it may be an earlier message that Discord gave back.
    const isSure = doubtSinceMs === undefined || forApprovers;
    await hold.note(place.write({ messageId, shownHash: isSure ? shownHash : undefined }));
    return isSure;
  }

  /** What is in the way ends up here: it is tried again later, or never. */
  async function explain(hold: Hold, place: Place, error: unknown): Promise<number | undefined> {
    if (!(error instanceof MessengerError)) {
      throw error;
    }
    const { id, state, stateAtMs } = hold.record;
    log.warn({ publication: id, problem: error.problem }, "a publication's message could not be kept");
    switch (error.problem) {
      case "channel-gone":
      case "not-allowed":
      case "dm-closed":
        await hold.note(place.write({ messageId: undefined, shownHash: NOT_ALLOWED }));
        return undefined;
      case "message-gone":
      case "refused":
        await hold.note(place.write({ messageId: undefined, shownHash: UNWANTED }));
        return undefined;
      case "slow-down":
      case "unavailable":
      case "outcome-unknown":
        if (isOver(state) && clock.now() - stateAtMs > GIVE_UP_MS) {
          await hold.note(place.write({ shownHash: UNWANTED }));
          return undefined;
        }
        return clock.now() + Math.min(Math.max(error.retryAfterMs ?? 0, RETRY_MS), LONGEST_RETRY_MS);
    }
  }

  /** A view that fails must not hold up what it shows. */
  async function make(
    hold: Hold,
    forApprovers: boolean,
    live: LiveProgress | undefined,
  ): Promise<Reply | undefined> {
    try {
      return present(await read(hold.record, live), { forApprovers });
    } catch (error) {
      log.error({ error, publication: hold.record.id }, "a publication's message could not be made");
      return undefined;
    }
  }

  async function keep(hold: Hold, place: Place, live: LiveProgress | undefined): Promise<number | undefined> {
    if (place.shownHash === UNWANTED || place.shownHash === NOT_ALLOWED) {
      return undefined;
    }
    const { key, forApprovers, channelId, messageId } = place;
    const reply = await make(hold, forApprovers, live);
    if (reply === undefined) {
      return clock.now() + LONGEST_RETRY_MS;
    }
    const hash = hashContent(reply.blocks);
    if (messageId !== undefined && place.shownHash === hash) {
      return undefined;
    }
    const waitMs = (editedAtMs.get(key) ?? -Infinity) + EDIT_EVERY_MS - clock.elapsed();
    if (waitMs > 0) {
      return clock.now() + waitMs;
    }
    try {
      if (messageId === undefined && !place.mayPost) {
        return await seek(hold, place);
      }
      if (messageId === undefined) {
        const isSure = await post(hold, place, reply, hash);
        return isSure ? undefined : clock.now() + EDIT_EVERY_MS;
      }
      remember(key);
      if (place.shownHash !== undefined) {
        // Until the answer is there, nobody knows which of the two it shows.
        await hold.note(place.write({ shownHash: undefined }));
      }
      await messenger.edit({ channelId, messageId }, reply);
      await hold.note(place.write({ messageId, shownHash: hash }));
      return undefined;
    } catch (error) {
      return explain(hold, place, error);
    }
  }

  /** Where it may not be written in the channel, its end is told to whoever submitted it, in person. */
  async function moveToConversation(hold: Hold): Promise<number | undefined> {
    const { submittedBy, channelId } = hold.record;
    const nowhere = { shownHash: UNWANTED, postingSinceMs: undefined };
    try {
      const conversation = submittedBy === undefined ? channelId : await messenger.conversation(submittedBy);
      const there = { channelId: conversation, shownHash: undefined, postingSinceMs: undefined };
      await hold.note(conversation === channelId ? nowhere : there);
      return undefined;
    } catch (error) {
      const retryAtMs = await explain(hold, ownPlace(hold), error);
      if (retryAtMs === undefined) {
        await hold.note(nowhere);
      }
      return retryAtMs;
    }
  }

  async function keepOwn(hold: Hold, live: LiveProgress | undefined): Promise<number | undefined> {
    const retryAtMs = await keep(hold, ownPlace(hold), live);
    if (hold.record.shownHash !== NOT_ALLOWED || !isOver(hold.record.state)) {
      return retryAtMs;
    }
    return (await moveToConversation(hold)) ?? (await keep(hold, ownPlace(hold), live));
  }

  /** Where it cannot be asked for, that is said in public. */
  async function keepApproval(hold: Hold): Promise<number | undefined> {
    const place = approvalPlace(hold);
    const retryAtMs = place === undefined ? undefined : await keep(hold, place, undefined);
    const { approvalShownHash, problem } = hold.record;
    if (approvalShownHash === NOT_ALLOWED && problem === undefined) {
      const inTheWay = plainProblem("discord", "not-permitted", false);
      await hold.change("awaiting-approval", { problem: formatProblem({ problem: inTheWay }) });
    }
    return retryAtMs;
  }

  return async (hold, live) => {
    if (hold.record.state === "draft") {
      return undefined;
    }
    // Those who approve look at states, not at every byte.
    const approval = live === undefined ? await keepApproval(hold) : undefined;
    const own = await keepOwn(hold, live);
    return own === undefined || approval === undefined ? (own ?? approval) : Math.min(own, approval);
  };
}
