// Used in answers to commands and in publications' messages.
import type { ServiceError } from "../core/errors.ts";
import { escapeMarkdown } from "../core/reply.ts";
import { type PublicationProblem, problemOf } from "./publishing/problems.ts";
import type { Publication } from "./publishing/publish.ts";

type VideoFailure = Pick<PublicationProblem, "kind" | "trouble" | "permission" | "words">;

type Trouble = NonNullable<PublicationProblem["trouble"]>;

export type AccountOwner = "server" | "bot" | "unknown";

const TOKEN_DEAD =
  "The video service no longer accepts this account's token: it has expired, or was withdrawn.";

const LINK_AGAIN: Readonly<Record<AccountOwner, string>> = {
  server: "Please link it again with `/video account link`.",
  bot: "It's the bot's own account: please tell the person who runs this bot.",
  unknown:
    "Please link it again with `/video account link`; if it's the bot's own account, tell the person who runs this bot.",
};

export function ownerOf(key: Publication["account"]["key"]): AccountOwner {
  return key === "operator" ? "bot" : "server";
}

export function linkAgainWords(key: Publication["account"]["key"]): string {
  return LINK_AGAIN[ownerOf(key)];
}

const OPERATOR_ACCOUNT_CLOSED =
  "This server can no longer publish with the bot's own account. Ask the person who runs this bot to allow it again. Or link your own account with `/video account link`, then press **Try again**.";

const BY_TROUBLE: Readonly<Record<Trouble, string>> = {
  busy: "The video service is having problems right now. Please try again in a few minutes.",
  "slow-down": "The video service asks me to slow down. Please try again in an hour or so.",
  blocked:
    "The video service has blocked this account for a few hours. Please wait until tomorrow; the account's own page there may say why.",
  "token-dead": `${TOKEN_DEAD} ${LINK_AGAIN.unknown}`,
  "needs-confirmation":
    "The video service wants the owner of this account to log in there and confirm something. Please do that first, then try again.",
  "page-token-needed":
    "That token belongs to a person, and only Pages can publish on the video service. Please link a Page's token with `/video account link`.",
  permission:
    "This account's token doesn't allow that. Please make one with the permissions for publishing and link it with `/video account link`.",
  unsupported:
    "The video service doesn't offer that to this bot, or doesn't offer it any more. Please tell the person who runs this bot.",
  gone: "The video service no longer has that, or no longer shows it to this account.",
  "bad-request": "The video service didn't accept that. Please check what you entered and try again.",
  empty: "The video service needs some text there. Please write something and try again.",
  duplicate:
    "This account has already published exactly the same, and the video service won't take it twice. Please change the title or the description.",
  format:
    "The video service doesn't take this kind of file. Please save the video as MP4 (H.264 with AAC sound) and attach that.",
  "too-small":
    "The video service says this file is too small to be a video. Please check it and attach it again.",
  "too-large": "This video is too large for the video service. Please make it shorter or smaller.",
  file: "The file didn't reach the video service properly. Please attach it again. If that doesn't help, save it as a new MP4 first.",
  content:
    "The video service refuses this content: it goes against the platform's rules. Sending it again won't help.",
  offset: "The video service and I couldn't agree on how much of the upload had arrived. Please try again.",
  session: "The video service gave up on this upload before it was complete. Please try again.",
};

/** Used if the service gave no code. */
const BY_KIND: Readonly<Record<PublicationProblem["kind"], string>> = {
  unavailable: "I can't reach the video service right now. Please try again in a few minutes.",
  timeout: "The video service took too long to answer. Please try again in a moment.",
  "rate-limited": BY_TROUBLE["slow-down"],
  "out-of-credit":
    "This account has no credit left with the video service. Please top it up there, then try again.",
  "budget-spent": BY_TROUBLE["slow-down"],
  rejected: BY_TROUBLE["bad-request"],
  "not-found": BY_TROUBLE.gone,
  "not-permitted": BY_TROUBLE.permission,
  unauthorised: BY_TROUBLE["token-dead"],
  "unexpected-answer":
    "The video service sent an answer I don't understand. Please try again later. If it keeps happening, tell the person who runs this bot.",
  "too-large": BY_TROUBLE["too-large"],
  "outcome-unknown":
    "The video service never said whether that worked. Please check there before you try again, so it doesn't happen twice.",
  aborted: "That was stopped before it finished. You can start it again whenever you like.",
  "no-account":
    "The account this was meant for is no longer linked. Link it again with `/video account link`, or press **Try again** to see which account it would use now.",
  unpublished: "It's on the video service, but nobody can see it: somebody has unpublished it there.",
  bug: "Something went wrong on my side. Please try again. If it keeps happening, tell the person who runs this bot.",
};

/** Used for a stored kind that another version of the bot has written. */
const UNKNOWN_FAILURE =
  "Something went wrong. Please try again. If it keeps happening, tell the person who runs this bot.";

/** One or two sentences, and the service's own sentence for people if there is one. */
export function videoProblemWords(failure: VideoFailure, whose: AccountOwner = "unknown"): string {
  const { words } = failure;
  const sentences = explain(failure, whose);
  return words === undefined ? sentences : `${sentences} The video service says: “${escapeMarkdown(words)}”`;
}

function explain({ kind, trouble, permission }: VideoFailure, whose: AccountOwner): string {
  if (permission !== undefined && (trouble === "permission" || kind === "not-permitted")) {
    return `This account's token lacks the permission \`${permission}\`. Please make one that has it and link it with \`/video account link\`.`;
  }
  if (trouble === "token-dead" || (trouble === undefined && kind === "unauthorised")) {
    return `${TOKEN_DEAD} ${LINK_AGAIN[whose]}`;
  }
  if (kind === "no-account" && whose === "bot") {
    return OPERATOR_ACCOUNT_CLOSED;
  }
  return (trouble && BY_TROUBLE[trouble]) ?? (Object.hasOwn(BY_KIND, kind) ? BY_KIND[kind] : UNKNOWN_FAILURE);
}

/** Why a server's linked account cannot be used. `unreadable`: none of the bot's keys decrypts its token. */
export function accountTroubleWords(trouble: Trouble | "unreadable" | undefined): string {
  return trouble === "unreadable"
    ? "I can't read its token, because I no longer have the key that protects it. Please tell the person who runs this bot, or link the account again with `/video account link`."
    : videoProblemWords({ kind: "unauthorised", trouble }, "server");
}

/** `undefined` for other services, and if the waiting time is known. */
export function explainVideoError(error: ServiceError): string | undefined {
  const isWait = error.kind === "rate-limited" && error.retryAfterMs !== undefined;
  return error.service !== "video" || isWait ? undefined : videoProblemWords(problemOf(error));
}
