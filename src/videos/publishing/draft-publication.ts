import { ConflictError, UserError, recover } from "../../core/errors.ts";
import { linkEndsAt } from "../../core/attachments.ts";
import { createShortId } from "../../core/component-id.ts";
import { DIRECTION_CONTROLS } from "../../core/reply.ts";
import { checkChannel } from "../../delivery/check-channel.ts";
import { parseMoment } from "../../time/parse-moment.ts";
import { formatDate, formatTime } from "../../time/words.ts";
import type { UsableAccount } from "../accounts/video-accounts.ts";
import type { Publication, PublicationTexts, PublishRequest, PublishParts } from "./publish.ts";
import { TITLE_LIMIT, sniffVideo } from "./draft-videos.ts";
import type { PublicationChanges } from "../publications-table.ts";

const OWN_WORDS = { act: "tell how it goes", otherwise: "use another channel" };

export function createDraftPublication(deps: PublishParts) {
  const { publications, accounts, rules, sources, messenger, clock, read } = deps;

  /** Checks the file (link, size, first bytes), the texts and the time. Nothing is sent to the service. */
  return async (request: PublishRequest): Promise<Publication> => {
    const { guildId, channelId, by, file } = request;
    const { timeZone } = await rules.checkPublisher(guildId, by, "publish a video");
    const account = await accountOf(accounts, guildId);
    if (request.isConversation !== true) {
      await checkChannel(messenger, { channelId }, OWN_WORDS);
    }
    if (file.sizeBytes > 0) {
      checkSize(file.sizeBytes);
    }
    const nowMs = clock.now();
    const texts = parseTexts(request, { timeZone, nowMs });

    const start = await recover(sources.readStart(file.url), ["not-found"], () => {
      throw new UserError("The link to that file has expired. Please attach it again.");
    });
    const { firstBytes, sizeBytes = file.sizeBytes } = start;
    checkSize(sizeBytes);
    const type = sniffVideo(firstBytes);
    if (type === undefined) {
      throw new UserError(
        "That isn't a video, or it's a kind I don't know. Please attach one, e.g. an MP4 or MOV file.",
      );
    }
    // `readStart` has accepted this link, so it is a valid URL.
    const linkEndsAtMs = linkEndsAt(new URL(file.url), nowMs);
    const added = await publications.add({
      id: createShortId(),
      guildId,
      channelId,
      submittedBy: by.userId,
      createdAtMs: nowMs,
      state: "draft",
      stateAtMs: nowMs,
      account: account.key,
      ...texts,
      fileName: file.name,
      fileType: type,
      sizeBytes,
      fileUrl: file.url,
      linkEndsAtMs,
      doneBytes: 0,
      nextAtMs: linkEndsAtMs,
    });
    return read(added);
  };
}

/** Throws a UserError if the server has none. */
export async function accountOf(accounts: PublishParts["accounts"], guildId: string): Promise<UsableAccount> {
  const account = await accounts.of(guildId);
  if (account === undefined) {
    throw new UserError(
      accounts.canLink
        ? "This server has no video account. Somebody who manages it can link one with `/video account link`."
        : "There's no video account to publish with. Please ask the person who runs this bot to set one up.",
    );
  }
  return account;
}

export type ParsedTexts = Pick<PublicationChanges, "title" | "description" | "publishAtMs">;

export interface ReadingTime {
  readonly timeZone: string;
  readonly nowMs: number;
}

/** Throws a UserError for a text that is too long, and PublishTimeError. */
export function parseTexts(texts: PublicationTexts, now: ReadingTime): ParsedTexts {
  const { title, description, publishAt = "" } = texts;
  return {
    ...("title" in texts && { title: checkText("title", title) }),
    ...("description" in texts && { description: checkText("description", description) }),
    ...("publishAt" in texts && {
      publishAtMs: publishAt.trim() === "" ? undefined : parsePublishAt(publishAt, now),
    }),
  };
}

/** Saving an outdated form silently would undo what somebody else did. */
export function outdatedFormError(now: string): ConflictError {
  return new ConflictError(
    "This has changed since the version your form shows, so I haven't saved your changes. Look at it first. If you send yours again, it replaces what's there now.",
    now,
  );
}

/** In characters. The service documents no limit; it is known to accept this length. */
const DESCRIPTION_LIMIT = 5_000;

const SMALLEST_BYTES = 1024;
const LARGEST_BYTES = 2 * 1024 ** 3;

/** Puts a title on one line. Removes characters that control the text direction, because approvers cannot see them. */
export function checkText(what: "title" | "description", typed: string = ""): string | undefined {
  const [breaks, instead, limit] =
    what === "title" ? [/[\p{Cc}\s]+/gu, " ", TITLE_LIMIT] : [/\r\n?/g, "\n", DESCRIPTION_LIMIT];
  const text = typed.replace(DIRECTION_CONTROLS, "").replace(breaks, instead).toWellFormed().trim();
  if (text.length > limit) {
    throw new UserError(
      `That ${what} has ${text.length.toLocaleString("en-GB")} characters; up to ${limit.toLocaleString("en-GB")} fit. Please shorten it.`,
    );
  }
  return text === "" ? undefined : text;
}

/** The service schedules videos ten minutes ahead at the earliest, and about a month at the latest. */
export const EARLIEST_MS = 10 * 60_000;
const LATEST_MS = 30 * 86_400_000;

/** The typed time is not possible. Only that is wrong, so the person need not type the rest again. */
class PublishTimeError extends UserError {}

/** Milliseconds since the epoch. A time without a day means its next occurrence. Throws PublishTimeError. */
export function parsePublishAt(text: string, now: ReadingTime): number {
  try {
    return readPublishAt(text, now);
  } catch (error) {
    throw error instanceof UserError ? new PublishTimeError(error.message) : error;
  }
}

function readPublishAt(text: string, { timeZone, nowMs }: ReadingTime): number {
  const now = Temporal.Instant.fromEpochMilliseconds(nowMs);
  const at = parseMoment(text, { zone: timeZone, now });
  const local = at.toZonedDateTimeISO(timeZone);
  const moment = `${formatTime(local)} on ${formatDate(local)}`;
  const waitMs = at.epochMilliseconds - nowMs;
  if (waitMs < 0) {
    throw new UserError(`${moment} has passed. Pick a later time.`);
  }
  if (waitMs < EARLIEST_MS) {
    throw new UserError(
      "That's too soon: the video service needs at least 10 minutes' notice. Pick a later time.",
    );
  }
  if (waitMs > LATEST_MS) {
    throw new UserError(`${moment} is too far ahead. I can schedule up to 30 days ahead.`);
  }
  return at.epochMilliseconds;
}

function checkSize(sizeBytes: number): void {
  if (sizeBytes < SMALLEST_BYTES) {
    throw new UserError(
      "That file is smaller than 1 KB, too small to be a video. Please check it and attach it again.",
    );
  }
  if (sizeBytes > LARGEST_BYTES) {
    const size = (Math.ceil((sizeBytes / 1024 ** 3) * 10) / 10).toFixed(1);
    throw new UserError(
      `That video is ${size} GB; the video service takes up to 2 GB. Please make it shorter or smaller.`,
    );
  }
}

/** If the typed time is not possible, runs `act` again without it; `problem` then tells the person why. */
export async function retryWithoutTime(
  texts: PublicationTexts,
  act: (texts: PublicationTexts) => Promise<Publication>,
): Promise<{ readonly draft: Publication; readonly problem: string | undefined }> {
  try {
    return { draft: await act(texts), problem: undefined };
  } catch (error) {
    if (!(error instanceof PublishTimeError)) {
      throw error;
    }
    const { publishAt: _, ...rest } = texts;
    return { draft: await act(rest), problem: error.message };
  }
}
