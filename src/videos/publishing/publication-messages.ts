// Before a message is sent, the row says that its current content is unknown. A message that cannot be shown
// never stops a publication.
import { LRUCache } from "lru-cache";
import { ServiceError } from "../../core/errors.ts";
import { MessengerError } from "../../core/ports.ts";
import {
  type Delivery,
  type RenderedMessage,
  createDeliver,
  formatNonce,
  hashContent,
} from "../../delivery/deliver.ts";
import { BARRED_RETRY_MS, isTimedOutBriefly } from "../../delivery/pause.ts";
import { hasPublicationMark } from "../video-args.ts";
import type { VideoPicture } from "../client/read-video.ts";
import type { PublicationChanges, PublicationRecord } from "../publications-table.ts";
import { formatProblem, parseProblem } from "./problems.ts";
import type { ClaimedPublication } from "./claimed-publication.ts";
import type { PublishRunnerDependencies } from "./publish-runner.ts";
import { MESSAGE_UNWANTED, isOver, maySendAgain } from "./states.ts";

/** Stored instead of a hash: the bot may not write there. At the end, the submitter is notified in a DM. */
const NOT_ALLOWED = "not-allowed";

/** Discord's advice for messages that are updated automatically. */
const EDIT_EVERY_MS = 2_000;
/** Nobody waits for the picture, so it may delay the news of the publication only this long. */
const PICTURE_MS = 10_000;
/** The delay after the database could not be read. */
const READ_AGAIN_MS = 5_000;
/** The delay after a view failed, which will probably fail again. */
const RENDER_AGAIN_MS = 5 * 60_000;
/** After this time nobody waits for the final message any more. */
const GIVE_UP_MS = 24 * 3_600_000;
const MAX_REMEMBERED = 1_000;

interface Message extends Pick<Delivery<never>, "place" | "message" | "shownHash" | "sinceMs"> {
  readonly forApprovers: boolean;
  /** When approval was requested again; each request has its own message. */
  readonly approvalAskedAtMs?: number | undefined;
  /** Whether it may be posted now; otherwise an existing message is only updated. */
  readonly mayPost: boolean;
  /** Translates changes of the message's id and hash into the row's columns. */
  readonly write: (changes: PublicationChanges) => PublicationChanges;
}

/** A DM to the submitter if the bot may not write in the channel; `undefined` if nothing is to do. */
function ownMessage(record: PublicationRecord): Message | undefined {
  const { channelId, messageId, shownHash, postingSinceMs, submittedBy: userId, state, stopReason } = record;
  const isNotAllowed = shownHash === NOT_ALLOWED;
  // The bot may come back to a server that it has left. The message there stays the publication's, and is updated then.
  const isNotice = isNotAllowed && stopReason === "left";
  if (isNotAllowed && (userId === undefined || !isOver(state))) {
    return undefined;
  }
  return {
    forApprovers: false,
    place: isNotAllowed && userId !== undefined ? { userId } : { channelId },
    message: isNotAllowed || messageId === undefined ? undefined : { channelId, messageId },
    shownHash,
    sinceMs: postingSinceMs,
    mayPost: true,
    write: (changes) => ({
      ...(isNotice ? { shownHash: MESSAGE_UNWANTED } : changes),
      postingSinceMs: undefined,
    }),
  };
}

/** Also updated after the decision. No column says whether it was posted, so it may have been. */
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
  /** When each message was last sent, in elapsed time. */
  const sentAtMs = new LRUCache<string, number>({ max: MAX_REMEMBERED });

  /** `undefined` if that fails, because a message without a picture is better than none. */
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

  async function renderMessage(
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
    if (shown === undefined || shown.shownHash === MESSAGE_UNWANTED) {
      return undefined;
    }
    const { id, state, stateAtMs } = claimed.record;
    const { forApprovers, approvalAskedAtMs, place, message, shownHash, sinceMs, mayPost, write } = shown;
    // A failing view must not delay the publication.
    const rendered = await renderMessage(claimed.record, forApprovers).catch((error: unknown) => {
      log.error({ error, publication: id }, "publication message rendering failed");
      return error instanceof ServiceError ? READ_AGAIN_MS : RENDER_AGAIN_MS;
    });
    if (typeof rendered === "number") {
      return clock.now() + rendered;
    }
    if (message !== undefined && shownHash === rendered.hash) {
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
      // A request for approval should notify people.
      silent: !forApprovers,
      ...(forApprovers && rendered.pingRole !== undefined && { pingRole: rendered.pingRole }),
      isThisMessage: (componentIds) =>
        hasPublicationMark(componentIds, { id, forApprovers, approvalAskedAtMs }),
      render: (how) => (how === "edit" || mayPost ? rendered : undefined),
      isSafe: claimed.isSafe,
      repostIfDeleted: false,
    });
    const none = { messageId: undefined, shownHash: MESSAGE_UNWANTED };
    switch (end.end) {
      case "sent": {
        const { channelId, messageId } = end.message;
        await claimed.changeAlways(write({ channelId, messageId, shownHash: end.hash }));
        return end.hash === undefined ? clock.now() + EDIT_EVERY_MS : undefined;
      }
      case "stopped":
        if (await mayWriteSoon(place)) {
          return clock.now() + BARRED_RETRY_MS;
        }
        // The ids of the public message are kept; approval is requested in a new message.
        await claimed.changeAlways(write("userId" in place ? none : { shownHash: NOT_ALLOWED }));
        return clock.now() + EDIT_EVERY_MS;
      case "later":
        if (!isOver(state) || clock.now() - stateAtMs <= GIVE_UP_MS) {
          return clock.now() + end.waitMs;
        }
        await claimed.changeAlways(write({ ...message, shownHash: MESSAGE_UNWANTED }));
        return undefined;
      case "gone":
      case "unchanged":
        // Somebody deleted the message, or decided before it was posted, so it will not be posted any more.
        await claimed.changeAlways(write(none));
        return undefined;
    }
  }

  async function mayWriteSoon(place: Message["place"]): Promise<boolean> {
    try {
      return "channelId" in place && (await isTimedOutBriefly(deps.messenger, place.channelId, clock));
    } catch (error) {
      if (error instanceof MessengerError) {
        return true;
      }
      throw error;
    }
  }

  /** If it cannot be posted, the public message says so. */
  async function updateApproval(claimed: ClaimedPublication): Promise<number | undefined> {
    const retryAtMs = await update(claimed, approvalMessage(claimed.record));
    const { approvalShownHash, problem } = claimed.record;
    if (approvalShownHash === NOT_ALLOWED && problem === undefined) {
      await claimed.change("awaiting-approval", {
        problem: formatProblem({ of: "discord", kind: "not-permitted" }),
      });
    }
    return retryAtMs;
  }

  /** Returns when to retry; `undefined` if all are up to date. `ownOnly`: skips the approval's. */
  return async (claimed: ClaimedPublication, ownOnly = false): Promise<number | undefined> => {
    if (claimed.record.state === "draft") {
      return undefined;
    }
    const approval = ownOnly ? undefined : await updateApproval(claimed);
    return earlier(approval, await update(claimed, ownMessage(claimed.record)));
  };
}

/** `undefined` means never. */
export function earlier(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? (one ?? other) : Math.min(one, other);
}

/** Adds to a row what views need. */
export function createReadPublication({ accounts, rules }: PublishRunnerDependencies) {
  return async (record: PublicationRecord) => {
    const { guildId, account: key, state, approvalChannelId, stopReason } = record;
    const account = await accounts.byKey(guildId, key);
    const { approvalChannelId: channelId, pingRoleId, timeZone } = await rules.settings(guildId);
    return {
      ...record,
      /** `name`: `undefined` if the service does not say it. A publication never uses an unlinked account. */
      account: { key, name: account?.name, isLinked: account !== undefined },
      timeZone,
      asksApproval: (state === "draft" ? channelId : approvalChannelId) !== undefined,
      pingRoleId,
      /** Why it failed or is delayed; `undefined` if there is no problem. */
      problem: parseProblem(record),
      mayRetry: maySendAgain(record),
      /** When the bot tries again; `undefined` if immediately, or if the state is final. */
      nextTryAtMs: isOver(state) ? undefined : record.notBeforeMs,
      /** While it is uploading, the bot tries to stop it; in a later state it was too late. */
      isStopping: stopReason === "cancelled" || (stopReason === "left" && state === "uploading"),
    };
  };
}
