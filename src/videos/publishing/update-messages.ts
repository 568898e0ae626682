// The messages of a publication: its own, which everybody there may see, and the one that asks for approval. Each is
// posted once and then edited. Once, whatever dies and whatever answer is lost: the row says before its own message is
// posted that it may have been; the process that finds that looks for it in the channel, by its mark. What is posted carries a
// nonce, for which Discord makes no second message for some minutes: that covers a request that is still on its way
// while the channel is read. Whether anything can be shown never stops a publication.
import type { Reply } from "../../core/reply.ts";
import { MessengerError, type PostedMessage } from "../../core/ports.ts";
import { formatNonce, hashContent } from "../../delivery/nonce.ts";
import type { PublicationLease } from "./publication-lease.ts";
import { formatProblem, plainProblem } from "./stored-problem.ts";
import {
  type PublicationMessage,
  approvalMessage,
  hasPublicationMark,
  ownMessage,
} from "./publication-messages.ts";
import type { PublishRunnerDependencies } from "./publish-runner.ts";
import { createReadPublication } from "./read-publication.ts";
import { isOver } from "./states.ts";
/** In place of a hash: somebody deleted it, or it cannot be: there will be none. */
export const UNWANTED = "unwanted";
/** In place of a hash: it may not be written there. At the end its submitter is notified in person. */
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

export function createMessageUpdater(deps: PublishRunnerDependencies) {
  const { messenger, present, clock, log } = deps;
  const read = createReadPublication(deps);
  const editedAtMs = new Map<string, number>();

  function remember(key: string): void {
    editedAtMs.delete(key);
    editedAtMs.set(key, clock.elapsed());
    if (editedAtMs.size > MOST_REMEMBERED) {
      const [oldest = key] = editedAtMs.keys();
      editedAtMs.delete(oldest);
    }
  }

  async function find(
    lease: PublicationLease,
    place: PublicationMessage,
    sinceMs: number,
  ): Promise<PostedMessage | undefined> {
    const { id } = lease.record;
    const messages = await messenger.ownMessages(place.channelId, sinceMs - SKEW_MS);
    return messages.find(({ componentIds }) =>
      hasPublicationMark(componentIds, { id, forApprovers: place.forApprovers }),
    );
  }

  /** Looks for what may not be posted any more; what was on its way may still turn up for a while. */
  async function seek(lease: PublicationLease, place: PublicationMessage): Promise<number | undefined> {
    const { createdAtMs, stateAtMs } = lease.record;
    const found = await find(lease, place, place.maybePostedSinceMs ?? createdAtMs);
    const nowMs = clock.now();
    if (found === undefined && nowMs - stateAtMs < TURNS_UP_MS) {
      return nowMs + SEEK_EVERY_MS;
    }
    const shownHash = found === undefined ? UNWANTED : undefined;
    await lease.note(place.write({ messageId: found?.messageId, shownHash }));
    return found === undefined ? undefined : nowMs + EDIT_EVERY_MS;
  }

  /** Says whether it is known what the message shows. */
  async function post(
    lease: PublicationLease,
    place: PublicationMessage,
    reply: Reply,
    shownHash: string,
  ): Promise<boolean> {
    const { maybePostedSinceMs, key, channelId, forApprovers } = place;
    const found = maybePostedSinceMs === undefined ? undefined : await find(lease, place, maybePostedSinceMs);
    if (found !== undefined) {
      await lease.note(place.write({ messageId: found.messageId, shownHash: undefined }));
      return false;
    }
    if (maybePostedSinceMs === undefined) {
      await lease.note({ postingSinceMs: clock.now() });
    }
    const nonce = formatNonce(key, channelId);
    const { messageId } = await messenger.post(channelId, reply, { nonce, silent: true });
    remember(key);
    // Where there was a doubt it may be an earlier message that Discord gave back.
    const isSure = maybePostedSinceMs === undefined || forApprovers;
    await lease.note(place.write({ messageId, shownHash: isSure ? shownHash : undefined }));
    return isSure;
  }

  /** What is in the way ends up here: it is tried again later, or never. */
  async function explain(
    lease: PublicationLease,
    place: PublicationMessage,
    error: unknown,
  ): Promise<number | undefined> {
    if (!(error instanceof MessengerError)) {
      throw error;
    }
    const { id, state, stateAtMs } = lease.record;
    log.warn({ publication: id, problem: error.problem }, "publication message update failed");
    switch (error.problem) {
      case "channel-gone":
      case "not-allowed":
      case "dm-closed":
        await lease.note(place.write({ messageId: undefined, shownHash: NOT_ALLOWED }));
        return undefined;
      case "message-gone":
      case "refused":
        await lease.note(place.write({ messageId: undefined, shownHash: UNWANTED }));
        return undefined;
      case "slow-down":
      case "unavailable":
      case "outcome-unknown":
        if (isOver(state) && clock.now() - stateAtMs > GIVE_UP_MS) {
          await lease.note(place.write({ shownHash: UNWANTED }));
          return undefined;
        }
        return clock.now() + Math.min(Math.max(error.retryAfterMs ?? 0, RETRY_MS), LONGEST_RETRY_MS);
    }
  }

  /** A view that fails must not hold up what it shows. */
  async function make(lease: PublicationLease, forApprovers: boolean): Promise<Reply | undefined> {
    try {
      return present(await read(lease.record), { forApprovers });
    } catch (error) {
      log.error({ error, publication: lease.record.id }, "publication message rendering failed");
      return undefined;
    }
  }

  async function update(lease: PublicationLease, place: PublicationMessage): Promise<number | undefined> {
    if (place.shownHash === UNWANTED || place.shownHash === NOT_ALLOWED) {
      return undefined;
    }
    const { key, forApprovers, channelId, messageId } = place;
    const reply = await make(lease, forApprovers);
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
        return await seek(lease, place);
      }
      if (messageId === undefined) {
        const isSure = await post(lease, place, reply, hash);
        return isSure ? undefined : clock.now() + EDIT_EVERY_MS;
      }
      remember(key);
      if (place.shownHash !== undefined) {
        // Until the answer is there, nobody knows which of the two it shows.
        await lease.note(place.write({ shownHash: undefined }));
      }
      await messenger.edit({ channelId, messageId }, reply);
      await lease.note(place.write({ messageId, shownHash: hash }));
      return undefined;
    } catch (error) {
      return explain(lease, place, error);
    }
  }

  /** Where it may not be written in the channel, its submitter is notified of its end in person. */
  async function moveToConversation(lease: PublicationLease): Promise<number | undefined> {
    const { submittedBy, channelId } = lease.record;
    const nowhere = { shownHash: UNWANTED, postingSinceMs: undefined };
    try {
      const conversation = submittedBy === undefined ? channelId : await messenger.conversation(submittedBy);
      const there = { channelId: conversation, shownHash: undefined, postingSinceMs: undefined };
      await lease.note(conversation === channelId ? nowhere : there);
      return undefined;
    } catch (error) {
      const retryAtMs = await explain(lease, ownMessage(lease), error);
      if (retryAtMs === undefined) {
        await lease.note(nowhere);
      }
      return retryAtMs;
    }
  }

  async function updateOwn(lease: PublicationLease): Promise<number | undefined> {
    const retryAtMs = await update(lease, ownMessage(lease));
    if (lease.record.shownHash !== NOT_ALLOWED || !isOver(lease.record.state)) {
      return retryAtMs;
    }
    return (await moveToConversation(lease)) ?? (await update(lease, ownMessage(lease)));
  }

  /** Where it cannot be asked for, that is said in public. */
  async function updateApproval(lease: PublicationLease): Promise<number | undefined> {
    const place = approvalMessage(lease);
    const retryAtMs = place === undefined ? undefined : await update(lease, place);
    const { approvalShownHash, problem } = lease.record;
    if (approvalShownHash === NOT_ALLOWED && problem === undefined) {
      const inTheWay = plainProblem("discord", "not-permitted", false);
      await lease.change("awaiting-approval", { problem: formatProblem(inTheWay) });
    }
    return retryAtMs;
  }

  /**
   * Brings the messages up to date; gives when to try again, `undefined` where they are. `ownOnly`: those who approve
   * look at states, not at every byte. Throws as the lease does.
   */
  return async (lease: PublicationLease, ownOnly = false): Promise<number | undefined> => {
    if (lease.record.state === "draft") {
      return undefined;
    }
    const approval = ownOnly ? undefined : await updateApproval(lease);
    const own = await updateOwn(lease);
    return own === undefined || approval === undefined ? (own ?? approval) : Math.min(own, approval);
  };
}
