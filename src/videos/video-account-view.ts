import { listAnd, joinLines } from "../core/text.ts";
import { privateCard, buttonTo, type Modal, type Reply, escapeMarkdown, textReply } from "../core/reply.ts";
import type { LinkedAccount } from "./accounts/video-accounts.ts";
import { relativeTime } from "../time/words.ts";
import { unlinkArgs } from "./video-args.ts";
import { accountTroubleWords } from "./video-problem-words.ts";

const LINK = "video/account/link";
const UNLINK = "video/account/unlink";
const LINK_FORM = { command: LINK, action: "form" };
const LINKED_BUTTONS = [
  buttonTo("Link another", LINK_FORM),
  buttonTo("Unlink…", { command: UNLINK, action: "ask" }),
];

/** Longer than any token that has been seen. */
const TOKEN_LIMIT = 1_000;

export function linkAccountForm(): Modal {
  return {
    type: "modal",
    target: { command: LINK, action: "link" },
    title: "Link an account",
    isSecret: true,
    fields: [
      {
        type: "text",
        name: "token",
        label: "The Page's access token",
        description:
          "Made in the video service's developer tools, for a Page, with pages_manage_posts. I never show it.",
        lines: "many",
        maxLength: TOKEN_LIMIT,
      },
    ],
  };
}

export function accountLinkedView(account: LinkedAccount): Reply {
  return privateCard([
    joinLines(
      `### This server now publishes as ${nameOf(account)}`,
      "The token was checked with the video service and is kept encrypted. Nobody can see it again, not even here.",
      stateOf(account),
    ),
    LINKED_BUTTONS,
  ]);
}

export function accountView({
  linked,
  mayUseOperator,
  canLink,
}: {
  readonly linked: LinkedAccount | undefined;
  readonly mayUseOperator: boolean;
  readonly canLink: boolean;
}): Reply {
  if (linked !== undefined) {
    const by = linked.linkedBy === undefined ? "" : ` by <@${linked.linkedBy}>`;
    return privateCard([
      joinLines(
        `### This server publishes as ${nameOf(linked)}`,
        `Linked ${relativeTime(linked.linkedAtMs)}${by}.`,
        stateOf(linked),
        `-# Its id on the video service: ${escapeMarkdown(linked.accountId)}`,
      ),
      LINKED_BUTTONS,
    ]);
  }
  const own = mayUseOperator
    ? "This server publishes with this bot's own account, and sees only its own videos there."
    : "This server has no account to publish with yet.";
  const link = canLink
    ? "To publish as a Page of your own, link it: I ask for its access token and check it with the video service."
    : "Servers can't link their own accounts here: the person who runs this bot hasn't set a key to protect them.";
  return privateCard([
    joinLines("### Video account", own, link),
    [canLink && buttonTo("Link an account", LINK_FORM)],
  ]);
}

function nameOf({ name, accountId }: LinkedAccount): string {
  return escapeMarkdown(name ?? `the account ${accountId}`);
}

function stateOf({ endsAtMs, brokenBecause, missing }: LinkedAccount): string {
  return joinLines(
    brokenBecause && `⚠️ ${accountTroubleWords(brokenBecause)}`,
    endsAtMs !== undefined && `Its token expires ${relativeTime(endsAtMs)}.`,
    missing.length > 0 &&
      `Not everything will work: its token lacks ${listAnd(missing.map(permissionWords))}. To get the rest, link a token that has them.`,
  );
}

const GOOD_FOR: Readonly<Record<string, string>> = {
  pages_read_engagement: "seeing whether a video is out, lists and counts",
  pages_manage_engagement: "writing, hiding and deleting comments",
  pages_read_user_content: "reading comments",
  read_insights: "statistics",
};

function permissionWords(name: string): string {
  const use = GOOD_FOR[name];
  return use === undefined ? `\`${name}\`` : `\`${name}\` (${use})`;
}

export function confirmUnlinkView(account: LinkedAccount, mayUseOperator: boolean): Reply {
  const after = mayUseOperator
    ? "From then on this server publishes with this bot's own account."
    : "From then on nothing can be published until another is linked.";
  const args = unlinkArgs.encode(account);
  return privateCard([
    joinLines(
      `### Unlink ${nameOf(account)}?`,
      `Its token is erased at once. Uploads in progress stop, and their messages say so. Videos waiting for approval can then only go out with another account, which I name first. Published and scheduled videos stay on the video service, but I can no longer change them. ${after}`,
    ),
    [
      buttonTo("Unlink", { command: UNLINK, action: "unlink", args }, { style: "danger" }),
      buttonTo("Keep it", { command: UNLINK, action: "keep" }),
    ],
  ]);
}

/** `wasLinked`: `false` if somebody else has already unlinked it. */
export function unlinkedView(wasLinked: boolean): Reply {
  return textReply(
    wasLinked
      ? "Unlinked: its token is erased here. To withdraw it altogether, remove this application in the account's own settings on the video service."
      : "This server has no account of its own.",
    "private",
    [buttonTo(wasLinked ? "Link another" : "Link an account", LINK_FORM)],
  );
}

export function accountNoticeView(account: LinkedAccount): Reply {
  const { brokenBecause, endsAtMs = 0 } = account;
  const text =
    brokenBecause === undefined
      ? `⏳ **Videos of ${nameOf(account)}**: its access token expires ${relativeTime(endsAtMs)}, and after that nothing can be published from here. Please make a new one before then, and link it with \`/video account link\`.`
      : `⚠️ **Videos of ${nameOf(account)}**: ${accountTroubleWords(brokenBecause)} Until then nothing can be published from here.`;
  return textReply(text);
}
