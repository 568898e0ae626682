// Answers about a publication that one person reads: a draft's card, and the outcome of pressing a button.
import { fitsId } from "../core/component-id.ts";
import { joinLines, formatSize } from "../core/text.ts";
import {
  type Reply,
  type Visibility,
  buttonTo,
  card,
  escapeMarkdown,
  markdownLink,
  menu,
  plainReply,
  privateCard,
  textReply,
} from "../core/reply.ts";
import { relativeTime } from "../time/words.ts";
import { againArgs, draftButton, foundArgs, publicationArgs, serverArgs } from "./video-args.ts";
import {
  accountWords,
  afterApprovalWords,
  cancelledWords,
  descriptionQuote,
  fileWords,
  isQuotedWhole,
  publicationProblemWords,
  publicationTitle,
  quotedTitle,
  STATE_WORDS,
  whenWords,
} from "./publication-words.ts";
import type { RefusedFile } from "./publishing/draft-videos.ts";
import type { CandidateSearch, Publication } from "./publishing/publish.ts";
import { isOver } from "./publishing/states.ts";
import type { AuditEntry } from "./settings/audit-log.ts";
import type { VideoSettings } from "./settings/video-rules.ts";
import { auditLine } from "./video-settings-view.ts";
import { linkAgainWords, ownerOf } from "./video-problem-words.ts";
import { videoTitle } from "./video-words.ts";

export interface CardNotes {
  /** Why the typed time is not possible; until it is fixed, Publish is disabled. */
  readonly problem?: string | undefined;
  /** Approval has been switched off since the person saw the card. */
  readonly wasAskingApproval?: boolean;
}

export function publicationCardView(
  draft: Publication,
  approval: VideoSettings,
  visibility: Visibility,
  { problem, wasAskingApproval = false }: CardNotes = {},
): Reply {
  const { asksApproval, publishAtMs, linkEndsAtMs, description } = draft;
  const go = asksApproval ? "Send for approval" : publishAtMs === undefined ? "Publish now" : "Schedule";
  const lines = [
    problem !== undefined &&
      `⚠️ ${problem} I kept the rest. Press **Edit** and type another time, or leave that field empty to publish straight away.`,
    `### Publish “${publicationTitle(draft)}”?`,
    descriptionQuote(description) ?? "No description yet.",
    `**Goes out** ${publishAtMs === undefined && problem !== undefined ? "once you've chosen a time" : publishAtMs !== undefined || asksApproval ? afterApprovalWords(draft) : "when you press **Publish now**"}`,
    // The account's name is public anyway: the service shows it with every video.
    `**Account** ${accountWords(draft)}`,
    asksApproval && `**Approval** ${approvalWords(approval)}`,
    wasAskingApproval && "**Approval** no longer needed here",
    `**File** ${fileWords(draft)}`,
    `-# Nothing has been sent yet. This preview expires ${relativeTime(linkEndsAtMs)}.`,
  ];
  const buttons = [
    draftButton("go", draft, { label: go, emoji: "📤", style: "success", disabled: problem !== undefined }),
    draftButton("edit", draft, { label: "Edit", emoji: "✏️" }),
    draftButton("discard", draft, { label: "Discard" }),
  ];
  return { ...card([joinLines(...lines), buttons]), visibility };
}

function approvalWords({ approvalChannelId, approverRoleId }: VideoSettings): string {
  const who =
    approverRoleId === undefined ? "somebody else" : `somebody else with the role <@&${approverRoleId}>`;
  return `needed from ${who}${approvalChannelId === undefined ? "" : `, in <#${approvalChannelId}>`}`;
}

/** If the publication's message exists, Discord shows the link as a jump from `here`. */
export function publicationSentView(
  publication: Publication,
  here: { readonly guildId: string | undefined; readonly channelId: string | undefined },
): Reply {
  const { state, guildId, channelId, messageId } = publication;
  const name = quotedTitle(publication);
  if (state === "expired") {
    return textReply(`The file link of ${name} has expired. Please attach the video again.`);
  }
  const isHere = channelId === here.channelId;
  const now = state === "uploading" ? `Uploading ${name}` : `${name} ${STATE_WORDS[state]}`;
  if (messageId === undefined) {
    const where = isHere ? "here" : `in <#${channelId}>`;
    return textReply(isOver(state) ? `${now}.` : `${now}. You can follow it ${where}.`);
  }
  // A link to a DM has `@me` in place of the server.
  const room = isHere && here.guildId === undefined ? "@me" : guildId;
  const link = `https://discord.com/channels/${room}/${channelId}/${messageId}`;
  return textReply(`${now}. Follow it here: ${link}`);
}

export function whichVideoView(
  drafts: readonly Publication[],
  refused: readonly RefusedFile[],
  visibility: Visibility,
): Reply {
  const lines = [
    "### Which video?",
    "You get a card for each one you pick.",
    ...refused.map(({ name, sentence }) => `-# ${escapeMarkdown(name)}: ${sentence}`),
  ];
  const choices = drafts.map(({ id, fileName, sizeBytes }) => ({
    label: fileName,
    value: id,
    description: formatSize(sizeBytes),
  }));
  const target = { command: "video/card", action: "pick" };
  return plainReply([lines.join("\n"), menu(target, "Pick a video…", choices)], visibility);
}

export function whichServerView(
  servers: readonly { readonly guildId: string; readonly name: string }[],
  messageId: string,
): Reply {
  const target = { command: "video/publish", action: "server", args: serverArgs.encode({ messageId }) };
  const choices = servers.map(({ guildId, name }) => ({ label: name, value: guildId }));
  return plainReply([
    "### Which server is it for?\nYou can publish videos for several.",
    menu(target, "Pick a server…", choices),
  ]);
}

export type CompletedAction = "approved" | "refused" | "changed" | "cancelled" | "retried";

export function publicationAnswerView(publication: Publication, action: CompletedAction): Reply {
  return textReply(SENTENCES[action](publication, quotedTitle(publication)), "private");
}

const SENTENCES: Readonly<Record<CompletedAction, (publication: Publication, name: string) => string>> = {
  approved(publication, name) {
    const { state, channelId } = publication;
    if (state === "awaiting-approval") {
      return `${name} is still waiting: somebody has just changed it. Please look at it again.`;
    }
    return SENT_STATES.has(state)
      ? `Thank you. ${name} is approved. You can follow it in <#${channelId}>.`
      : tooLate(publication, name);
  },
  refused: (publication, name) =>
    publication.state === "refused"
      ? `You've refused ${name}.${publication.submittedBy === undefined ? "" : ` <@${publication.submittedBy}> can see your reason.`}`
      : tooLate(publication, name),
  changed: ({ state, asksApproval }, name) =>
    state === "awaiting-approval" && asksApproval
      ? `${name} is waiting for approval again.`
      : `Your changes to ${name} are saved.${state === "failed" ? " Press **Try again** to send it." : ""}`,
  cancelled: (publication, name) =>
    publication.state === "cancelled"
      ? `${name} is cancelled. ${cancelledWords(publication)}`
      : SENT_STATES.has(publication.state)
        ? `I'm cancelling ${name}. Its message will say in a moment whether that was in time.`
        : `There's nothing to cancel any more: ${name} ${STATE_WORDS[publication.state]}.`,
  retried: (publication, name) =>
    publication.state === "uploading"
      ? `Uploading ${name} again.`
      : publication.state === "awaiting-approval"
        ? `${name} is waiting for approval, and goes out once somebody approves it.`
        : tooLate(publication, name),
};

const SENT_STATES = new Set<Publication["state"]>(["uploading", "processing", "scheduled", "published"]);

function tooLate({ state }: Publication, name: string): string {
  return state === "expired"
    ? `${name} can no longer be sent: its file link has expired. Ask the person who submitted it to attach it again.`
    : `Somebody else got there first: ${name} ${STATE_WORDS[state]}.`;
}

/** The number of recent entries shown; the history of `/video settings` has earlier ones. */
export const ENTRIES_SHOWN = 12;
const DESCRIPTION_FILE = "description.txt";

/** Shows the newest entries. A description that is too long for a message is also attached as a file. */
export function publicationDetailsView(publication: Publication, entries: readonly AuditEntry[]): Reply {
  const { description, videoId, id, state } = publication;
  const text = joinLines(
    `### ${publicationTitle(publication)}`,
    `**Now** it ${STATE_WORDS[state]}`,
    descriptionQuote(description) ?? "No description.",
    !isOver(state) &&
      `**Goes out** ${state === "awaiting-approval" ? afterApprovalWords(publication) : whenWords(publication)}`,
    `**Account** ${accountWords(publication)}`,
    `**File** ${fileWords(publication)}`,
    ...(entries.length === 0 ? [] : ["**What happened**", ...entries.map(auditLine)]),
    `-# Publication ${id}${videoId === undefined ? "" : ` · video ${videoId}`}`,
  );
  if (description === undefined || isQuotedWhole(description)) {
    return privateCard([text]);
  }
  const file = {
    name: DESCRIPTION_FILE,
    bytes: Buffer.from(description),
    description: "The whole description",
  };
  return { ...privateCard([text, { type: "file", file: DESCRIPTION_FILE }]), files: [file] };
}

const DOUBT = "video/doubt";

/** `seen`: videos that the person has already seen and rejected. */
export function findingView(
  publication: Publication,
  {
    candidate: found,
    problem,
    seen = [],
  }: CandidateSearch & { readonly seen?: readonly string[] | undefined },
): Reply {
  if (publication.state !== "outcome-unknown") {
    return textReply(resolvedWords(publication), "private");
  }
  const name = quotedTitle(publication);
  const args = publicationArgs.encode(publication);
  const leave = buttonTo("Leave it", { command: DOUBT, action: "leave", args });
  const lookAgain = buttonTo("Look again", { command: DOUBT, action: "back", args });
  if (problem !== undefined) {
    const { key } = publication.account;
    const why =
      problem.kind === "no-account"
        ? `The account it went to is no longer linked here. ${linkAgainWords(key)} Once it's linked again, I can look.`
        : publicationProblemWords(problem, ownerOf(key));
    return privateCard([
      joinLines(
        `### I can't look for ${name}`,
        `${why} Or check the account's own page, and press **Leave it**: I won't send it again.`,
      ),
      [lookAgain, leave],
    ]);
  }
  const againTarget = {
    command: DOUBT,
    action: "again",
    args: againArgs.encode({ id: publication.id, seen: found && [...seen, found.id] }),
  };
  const again = buttonTo("Publish again", againTarget, { style: "danger" });
  if (found === undefined) {
    return privateCard([
      joinLines(
        `### I can't find ${name}`,
        "None of the account's newest videos could be it. A lost upload may still turn up for some minutes, so check the account's own page before you publish it again, or it may appear twice.",
      ),
      [again, leave],
    ]);
  }
  const { id: videoId, title, link, createdAtMs } = found;
  const shown = videoTitle(title, TITLE_SHOWN);
  const at = createdAtMs === undefined ? "" : `, ${relativeTime(createdAtMs)}`;
  const target = { command: DOUBT, action: "this", args: foundArgs.encode({ id: publication.id, videoId }) };
  // A video that does not fit into the button's id would be shown repeatedly.
  const isLast = !fitsId(againTarget);
  return privateCard([
    joinLines(
      `### Is this ${name}?`,
      `I ${seen.length === 0 ? "" : "also "}found this in the account: ${link === undefined ? shown : markdownLink(shown, link)}${at}. Please look at it.`,
      isLast
        ? "That's the last one I can show you. If it's a different video too, check the account's own page. If yours isn't there, press **Leave it** and attach the video again with `/video publish`."
        : "Publish again only if it's a different video; otherwise yours would appear twice.",
    ),
    [buttonTo("This is it", target, { style: "success" }), isLast ? leave : again],
  ]);
}

const TITLE_SHOWN = 120;

function resolvedWords(publication: Publication): string {
  const { state } = publication;
  const name = quotedTitle(publication);
  if (state === "uploading") {
    return `Uploading ${name} again.`;
  }
  if (state === "expired") {
    return `Thank you. ${name} can't be sent again, because its file link has expired. Please attach the video again with \`/video publish\`.`;
  }
  return state === "cancelled"
    ? `All right, I won't send ${name} again. ${cancelledWords(publication)}`
    : `Thank you. ${name} ${STATE_WORDS[state]}.`;
}
