// The messages of a publication: its own, which everybody there may see, and the one that asks for approval. The delivery
// engine keeps each of them; the row says before a message is sent that what stands there is unknown from now on.
// Whether anything can be shown never stops a publication.
import { LRUCache } from "lru-cache";
import { ServiceError } from "../../core/errors.ts";
import { type Delivery, type RenderedMessage, createDeliver } from "../../delivery/deliver.ts";
import { formatNonce, hashContent } from "../../delivery/nonce.ts";
import { hasPublicationMark } from "../video-args.ts";
import type { VideoPicture } from "../client/read-video.ts";
import type { PublicationChanges, PublicationRecord } from "../publications-table.ts";
import { formatProblem, maySendAgain, parseProblem } from "./problems.ts";
import type { ClaimedPublication } from "./claimed-publication.ts";
import type { PublishRunnerDependencies } from "./publish-runner.ts";
import { NO_MESSAGE, isOver } from "./states.ts";

/** In place of a hash: it may not be written there. At the end its submitter is notified in person. */
const NOT_ALLOWED = "not-allowed";

/** Discord's own advice for what changes by itself. */
const EDIT_EVERY_MS = 2_000;
/** Nobody waits for it, but others want to know that the video is out. */
const PICTURE_MS = 10_000;
/** The database may be away for a moment. */
const READ_AGAIN_MS = 5_000;
/** A view that fails once fails again. */
const RENDER_AGAIN_MS = 5 * 60_000;
/** By then nobody waits for it any more. */
const GIVE_UP_MS = 24 * 3_600_000;
const MOST_REMEMBERED = 1_000;

/** One of the two, as the row has it. */
interface Message extends Pick<Delivery<never>, "place" | "message" | "shownHash" | "sinceMs"> {
  readonly forApprovers: boolean;
  /** When approval was asked for again; each time it is another message. */
  readonly approvalAskedAtMs?: number | undefined;
  /** Whether it may be posted now; otherwise it is only brought up to date, where it stands. */
  readonly mayPost: boolean;
  /** In the row's own names. */
  readonly write: (changes: PublicationChanges) => PublicationChanges;
}

/** Where everybody sees it, or its submitter alone where the bot may not write there; `undefined` where nothing is to do. */
function ownMessage(record: PublicationRecord): Message | undefined {
  const { channelId, messageId, shownHash, postingSinceMs, submittedBy: userId, state, stopReason } = record;
  const isBarred = shownHash === NOT_ALLOWED;
  // A server that the bot has left may come back: the message there stays the publication's, and is changed then.
  const isNotice = isBarred && stopReason === "left";
  if (isBarred && (userId === undefined || !isOver(state))) {
    return undefined;
  }
  return {
    forApprovers: false,
    place: isBarred && userId !== undefined ? { userId } : { channelId },
    message: isBarred || messageId === undefined ? undefined : { channelId, messageId },
    shownHash,
    sinceMs: postingSinceMs,
    mayPost: true,
    write: (changes) => ({ ...(isNotice ? { shownHash: NO_MESSAGE } : changes), postingSinceMs: undefined }),
  };
}

/** The approval's message is updated after the decision, too. No column says whether it was posted, so it may have been. */
function approvalMessage(record: PublicationRecord): Message | undefined {
  const { approvalChannelId: channelId, approvalMessageId, approvalShownHash, state } = record;
  const { approvalAskedAtMs, createdAtMs } = record;
  if (channelId === undefined || approvalShownHash === NOT_ALLOWED) {
    return undefined;
  }
  return {
    forApprovers: true,
    approvalAskedAtMs,
    place: { channelId },
    message: approvalMessageId === undefined ? undefined : { channelId, messageId: approvalMessageId },
    shownHash: approvalShownHash,
    sinceMs: approvalAskedAtMs ?? createdAtMs,
    mayPost: state === "awaiting-approval",
    write: ({ messageId, shownHash }) => ({ approvalMessageId: messageId, approvalShownHash: shownHash }),
  };
}

export function createMessageUpdater(deps: PublishRunnerDependencies) {
  const { present, accounts, client, clock, log } = deps;
  const read = createReadPublication(deps);
  const deliver = createDeliver(deps);
  /** When each was last sent, in elapsed time. */
  const sentAtMs = new LRUCache<string, number>({ max: MOST_REMEMBERED });

  /** Of a video that everybody may watch. A message without it is better than none. */
  async function pictureOf(record: PublicationRecord): Promise<VideoPicture | undefined> {
    const { state, problem, guildId, account: key, videoId } = record;
    if (state !== "published" || problem !== undefined || videoId === undefined) {
      return undefined;
    }
    try {
      const account = await accounts.byKey(guildId, key);
      const video = account && (await client.read(account.account, videoId));
      return video && (await client.picture(video, PICTURE_MS));
    } catch (error) {
      log.debug({ error, publication: record.id }, "video picture unavailable");
      return undefined;
    }
  }

  async function make(
    record: PublicationRecord,
    forApprovers: boolean,
  ): Promise<RenderedMessage & { readonly pingRole: string | undefined }> {
    const publication = await read(record);
    const reply = present(publication, { forApprovers });
    return {
      hash: hashContent(reply.blocks),
      pingRole: publication.pingRoleId,
      async reply() {
        const picture = forApprovers ? undefined : await pictureOf(record);
        return picture === undefined ? reply : present(publication, { forApprovers, picture });
      },
    };
  }

  async function update(
    claimed: ClaimedPublication,
    shown: Message | undefined,
  ): Promise<number | undefined> {
    if (shown === undefined || shown.shownHash === NO_MESSAGE) {
      return undefined;
    }
    const { id, state, stateAtMs } = claimed.record;
    const { forApprovers, approvalAskedAtMs, place, message, shownHash, sinceMs, mayPost, write } = shown;
    // What cannot be shown must not hold up the publication.
    const made = await make(claimed.record, forApprovers).catch((error: unknown) => {
      log.error({ error, publication: id }, "publication message rendering failed");
      return error instanceof ServiceError ? READ_AGAIN_MS : RENDER_AGAIN_MS;
    });
    if (typeof made === "number") {
      return clock.now() + made;
    }
    if (message !== undefined && shownHash === made.hash) {
      return undefined;
    }
    const key = `${forApprovers ? "approval" : "publication"} ${id}${approvalAskedAtMs === undefined ? "" : ` ${approvalAskedAtMs}`}`;
    const waitMs = (sentAtMs.get(key) ?? -Infinity) + EDIT_EVERY_MS - clock.elapsed();
    if (waitMs > 0) {
      return clock.now() + waitMs;
    }
    sentAtMs.set(key, clock.elapsed());
    if (message === undefined && sinceMs === undefined) {
      await claimed.changeAlways({ postingSinceMs: clock.now() });
    } else if (message !== undefined && shownHash !== undefined) {
      await claimed.changeAlways(write({ ...message, shownHash: undefined }));
    }
    const end = await deliver<never>({
      logFields: { publication: id },
      place,
      message,
      shownHash: undefined,
      sinceMs: message === undefined ? sinceMs : undefined,
      nonce: formatNonce(key, "userId" in place ? place.userId : place.channelId),
      // Somebody is wanted.
      silent: !forApprovers,
      ...(forApprovers && made.pingRole !== undefined && { pingRole: made.pingRole }),
      isThisMessage: (componentIds) =>
        hasPublicationMark(componentIds, { id, forApprovers, approvalAskedAtMs }),
      render: (how) => (how === "edit" || mayPost ? made : undefined),
      isSafe: claimed.isSafe,
      repostIfDeleted: false,
    });
    const none = { messageId: undefined, shownHash: NO_MESSAGE };
    switch (end.end) {
      case "sent": {
        const { channelId, messageId } = end.message;
        await claimed.changeAlways(write({ channelId, messageId, shownHash: end.hash }));
        return end.hash === undefined ? clock.now() + EDIT_EVERY_MS : undefined;
      }
      case "stopped":
        // Where its own message stands is remembered; approval is asked for in a new one.
        await claimed.changeAlways(write("userId" in place ? none : { shownHash: NOT_ALLOWED }));
        return clock.now() + EDIT_EVERY_MS;
      case "later":
        if (!isOver(state) || clock.now() - stateAtMs <= GIVE_UP_MS) {
          return clock.now() + end.waitMs;
        }
        await claimed.changeAlways(write({ ...message, shownHash: NO_MESSAGE }));
        return undefined;
      case "gone":
      case "unchanged":
        // Somebody deleted it; or decided before it was posted, which it never will be now.
        await claimed.changeAlways(write(none));
        return undefined;
    }
  }

  /** Where it cannot be asked for, that is said in public. */
  async function updateApproval(claimed: ClaimedPublication): Promise<number | undefined> {
    const retryAtMs = await update(claimed, approvalMessage(claimed.record));
    const { approvalShownHash, problem } = claimed.record;
    if (approvalShownHash === NOT_ALLOWED && problem === undefined) {
      const inTheWay = formatProblem({ of: "discord", kind: "not-permitted" });
      await claimed.change("awaiting-approval", { problem: inTheWay });
    }
    return retryAtMs;
  }

  /** Returns when to try again, `undefined` if all messages are up to date. `ownOnly`: without the approval's message. */
  return async (claimed: ClaimedPublication, ownOnly = false): Promise<number | undefined> => {
    if (claimed.record.state === "draft") {
      return undefined;
    }
    const approval = ownOnly ? undefined : await updateApproval(claimed);
    return earlier(approval, await update(claimed, ownMessage(claimed.record)));
  };
}

/** Of two moments; `undefined` is never. */
export function earlier(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? (one ?? other) : Math.min(one, other);
}

/** Reads what people see of a row. */
export function createReadPublication({ accounts, rules }: PublishRunnerDependencies) {
  return async (record: PublicationRecord) => {
    const { guildId, account: key, state, approvalChannelId, stopReason } = record;
    const account = await accounts.byKey(guildId, key);
    const { approvalChannelId: channelId, pingRoleId, timeZone } = await rules.settings(guildId);
    return {
      ...record,
      /** Which it is for; its name, where the service tells it. It does not go out with one that was unlinked since. */
      account: { key, name: account?.name, isLinked: account !== undefined },
      timeZone,
      asksApproval: (state === "draft" ? channelId : approvalChannelId) !== undefined,
      pingRoleId,
      /** Also of one that goes on by itself: then it says what is in its way. */
      problem: parseProblem(record),
      mayRetry: maySendAgain(record),
      /** When it goes on by itself, where that is not at once; `undefined` also where it does not. */
      nextTryAtMs: isOver(state) ? undefined : record.notBeforeMs,
      /** Cancelled perhaps too late: it is stopped if it can be, and looked for; in a later state it was too late. */
      isStopping: stopReason === "cancelled" || (stopReason === "left" && state === "uploading"),
      /** Set where it was stopped since the bot was removed from its server: whether the bot is back there. */
      left: stopReason === "cancelled" ? undefined : stopReason,
    };
  };
}
