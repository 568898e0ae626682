import { defineArgs, shortId, textLike, type WrittenArgs } from "../core/component-id.ts";
import { createPage } from "../core/pages.ts";
import {
  type ActionButton,
  CHOICES_LIMIT,
  type Modal,
  type Reply,
  buttonTo,
  card,
  escapeMarkdown,
  menu,
  privateCard,
} from "../core/reply.ts";
import { cutLine, joinDots, joinLines, plural } from "../core/text.ts";
import { relativeTime } from "../time/words.ts";
import { PLANNED_SERVICES } from "../plan/budget.ts";
import { PLAN_WORDS, planLines } from "./about-view.ts";
import type { Notice } from "./notice.ts";
import type { Overview, PlanUses, Server } from "./operator.ts";

export const serverArgs = defineArgs({ id: ["g", textLike(/^\d{17,20}$/)] });
export const noticeArgs = defineArgs({ id: ["n", shortId] });

const NOTICE_LIMIT = 1_500;
const LABEL_LIMIT = 100;

const ERASED_LATER = "I'll erase what I keep about it 7 days later.";

const button = (
  label: string,
  action: string,
  style: ActionButton["style"] = "secondary",
  args: WrittenArgs = {},
) => buttonTo(label, { command: "operator", action, args }, { style });
const serverButton = (label: string, action: string, { id }: Server, style?: ActionButton["style"]) =>
  button(label, action, style, serverArgs.encode({ id }));
const BACK = button("Back", "list");

export function overviewView({ servers, blocked, notice, attention }: Overview, page: number): Reply {
  const { shown, words, buttons } = createPage(page, servers, "operator");
  const members = servers.reduce((sum, { memberCount = 0 }) => sum + memberCount, 0);
  const notAllowed = servers.filter(({ isAllowed }) => !isAllowed).length;
  return privateCard([
    joinDots(`### ${plural(servers.length, "server")}${words}`, plural(members, "member")),
    attention.length > 0 && joinLines("**Needs your attention**", ...attention.map((text) => `- ${text}`)),
    shown.map(serverLine).join("\n"),
    notAllowed > 0 &&
      joinLines(
        `**${plural(notAllowed, "server")} not allowed.** I don't answer anyone there.`,
        "When many servers at once aren't in `ALLOWED_GUILDS`, I stay in case the list is wrong. If it's right, let me leave them.",
      ),
    notice !== undefined && noticeWords(notice),
    menu(
      { command: "operator", action: "open" },
      "Open a server…",
      shown.map((server) => ({
        label: cutLine(server.name, LABEL_LIMIT) || server.id,
        value: server.id,
        description: joinDots(size(server), server.id),
      })),
    ),
    ...buttons,
    [
      notAllowed > 0 && button(`Leave ${plural(notAllowed, "server")}…`, "askStrangers", "danger"),
      button("Plan use today", "plan"),
      button("Write a notice", "write"),
      blocked.length > 0 && button(`Blocked servers (${blocked.length})`, "blocked"),
    ],
  ]);
}

function serverLine(server: Server): string {
  return joinDots(`**${escapeMarkdown(server.name)}**`, facts(server));
}

function size({ memberCount }: Server): string | undefined {
  return memberCount === undefined ? undefined : plural(memberCount, "member");
}

function facts(server: Server): string {
  const { boards, lastUsedAtMs, isAllowed } = server;
  return joinDots(
    size(server),
    boards > 0 && plural(boards, "board"),
    lastUsedAtMs === undefined ? "no command used yet" : `last command ${relativeTime(lastUsedAtMs)}`,
    !isAllowed && "not allowed",
  );
}

export function serverView(server: Server): Reply {
  return privateCard([
    joinLines(`### ${escapeMarkdown(server.name)}`, facts(server), `-# ${server.id}`),
    [serverButton("Leave…", "askLeave", server), serverButton("Block…", "askBlock", server, "danger"), BACK],
  ]);
}

export function askLeaveView(server: Server): Reply {
  return privateCard([
    joinLines(
      `### Leave ${escapeMarkdown(server.name)}?`,
      `Its boards and watches stop. ${ERASED_LATER}`,
      "Anyone who manages the server can invite me again. Block it if you don't want that.",
    ),
    [serverButton("Leave", "leave", server, "danger"), BACK],
  ]);
}

export function askBlockView(server: Server): Reply {
  return privateCard([
    joinLines(
      `### Block ${escapeMarkdown(server.name)}?`,
      "I'll tell the server that I'm not allowed there, and leave. If somebody invites me again, I'll leave again.",
      `Its boards and watches stop. ${ERASED_LATER}`,
    ),
    [serverButton("Block", "block", server, "danger"), BACK],
  ]);
}

export function askStrangersView({ servers }: Overview): Reply {
  const notAllowed = servers.filter(({ isAllowed }) => !isAllowed);
  return privateCard([
    joinLines(
      `### Leave ${plural(notAllowed.length, "server")}?`,
      notAllowed
        .slice(0, CHOICES_LIMIT)
        .map(({ name }) => escapeMarkdown(name))
        .join(", ") + (notAllowed.length > CHOICES_LIMIT ? " and more" : ""),
      "I'll tell each that I'm not allowed there, and erase what I keep about them 7 days later.",
    ),
    [button("Leave them", "leaveStrangers", "danger"), BACK],
  ]);
}

export function doneView(text: string): Reply {
  return privateCard([text, [BACK]]);
}

export function blockedView(blocked: Overview["blocked"]): Reply {
  const shown = blocked.slice(0, CHOICES_LIMIT);
  return privateCard([
    `### ${plural(blocked.length, "blocked server")}`,
    shown
      .map(({ guildId, name, blockedAt }) =>
        joinDots(
          name === undefined ? `\`${guildId}\`` : `**${escapeMarkdown(name)}**`,
          `blocked ${relativeTime(blockedAt)}`,
        ),
      )
      .join("\n"),
    blocked.length > shown.length && "-# Only the latest are shown.",
    menu(
      { command: "operator", action: "unblock" },
      "Unblock a server…",
      shown.map(({ guildId, name }) => ({
        label: cutLine(name ?? guildId, LABEL_LIMIT),
        value: guildId,
        description: guildId,
      })),
    ),
    [BACK],
  ]);
}

const OTHERS: Readonly<Record<string, string>> = {
  boards: "Boards and watches",
  elsewhere: "Direct messages, and people who have installed me for themselves",
  previews: "Style samples",
};
const MAX_USES = 25;

export function planUseView({ plans, uses }: PlanUses): Reply {
  const lines = uses.slice(0, MAX_USES).map(({ by, name, calls }) =>
    joinDots(
      `**${OTHERS[by] ?? (name === undefined ? by : escapeMarkdown(name))}**`,
      ...PLANNED_SERVICES.flatMap((service) => {
        const count = calls[service] ?? 0;
        return count > 0 ? [`${plural(count, "call")} ${PLAN_WORDS[service].calls}`] : [];
      }),
    ),
  );
  return privateCard([
    plans.length > 0 && plans.map((plan) => planLines(plan).join("\n")).join("\n\n"),
    "### Plan use today\n-# Calls since midnight (UTC), or since this process of the bot started.",
    lines.length === 0 ? "None so far." : lines.join("\n"),
    uses.length > MAX_USES && `-# Only the first ${MAX_USES} of ${uses.length} are shown.`,
    [BACK],
  ]);
}

export function attentionView(texts: readonly string[]): Reply {
  return card([
    joinLines("### Something needs your attention", ...texts.map((text) => `- ${text}`)),
    "-# I write once about each problem, and at most once a day. `OWNER_NOTICES=off` stops these messages.",
    [button("Show all servers", "list")],
  ]);
}

export function noticeForm(text?: string): Modal {
  return {
    type: "modal",
    target: { command: "operator", action: "preview" },
    title: "A notice to everyone with a board",
    fields: [
      {
        type: "text",
        name: "text",
        label: "What they should know",
        description: "You'll see it before it's sent.",
        lines: "many",
        maxLength: NOTICE_LIMIT,
        ...(text !== undefined && { value: text }),
      },
    ],
  };
}

/** The notice as it appears in a channel. */
export function noticeView(text: string): Reply {
  return card(["### A notice from the person who runs this bot", text]);
}

export function noticePreviewView({ id, text, channels }: Notice): Reply {
  const args = noticeArgs.encode({ id });
  const where = plural(channels, "channel");
  const buttons = privateCard([
    `Each channel with a running board gets this once, without a sound: ${where}.`,
    [
      button(`Send to ${where}`, "send", "primary", args),
      button("Change", "rewrite", "secondary", args),
      BACK,
    ],
  ]);
  return { ...buttons, blocks: [...noticeView(text).blocks, ...buttons.blocks] };
}

function noticeWords({ state, channels, posted, unreachable, unsure }: Notice): string {
  if (state === "draft") {
    return "";
  }
  const reached = `in ${posted} of ${plural(channels, "channel")}`;
  const troubles = joinDots(
    unreachable > 0 && `${unreachable} couldn't be reached`,
    unsure > 0 && `${unsure} may not have it`,
  );
  return joinDots(
    state === "sending"
      ? `**Notice on its way:** posted ${reached} so far`
      : `**Last notice:** posted ${reached}`,
    troubles,
  );
}
