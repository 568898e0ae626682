// Tests the views of drafts, accounts, settings, history and failures.
import settings from "../../commands/video/settings.ts";
import { oneLine } from "../../src/core/text.ts";
import { describe, expect, it } from "vitest";
import type { Reply } from "../../src/core/reply.ts";
import { formatReply } from "../../src/discord/reply.ts";
import { TROUBLES, type VideoTrouble } from "../../src/videos/client/refusal.ts";
import { type PublicationProblem, parseProblem } from "../../src/videos/publishing/problems.ts";
import type { Publication } from "../../src/videos/publishing/publish.ts";
import type { LinkedAccount } from "../../src/videos/accounts/video-accounts.ts";
import type { AuditEntry } from "../../src/videos/settings/audit-log.ts";
import {
  findingView,
  publicationAnswerView,
  publicationDetailsView,
  publicationCardView,
  publicationSentView,
  whichServerView,
  whichVideoView,
} from "../../src/videos/publication-answers-view.ts";
import { publicationForm, readPublicationForm } from "../../src/videos/publication-form.ts";
import { publicationProblemWords } from "../../src/videos/publication-words.ts";
import {
  accountLinkedView,
  accountNoticeView,
  accountView,
  confirmUnlinkView,
  unlinkedView,
} from "../../src/videos/video-account-view.ts";
import { videoProblemWords } from "../../src/videos/video-problem-words.ts";
import {
  ENTRIES_SHOWN,
  auditLine,
  videoHistoryView,
  videoSettingsView,
} from "../../src/videos/video-settings-view.ts";
import { PUBLICATION_AT_MS, publication } from "../support/publications.ts";
import { publicationRecord } from "./video-rows.ts";

const words = (reply: Reply) => JSON.stringify(reply);
const nobody = { timeZone: "Europe/London" };
const draft = publication({ state: "draft" });

describe("the card of a draft", () => {
  it("says what will happen, and labels its button accordingly", () => {
    const card = (more: Parameters<typeof publication>[0]) =>
      words(publicationCardView(publication({ state: "draft", ...more }), nobody, "private"));
    expect(card({})).toContain("Publish now");
    expect(card({ publishAtMs: PUBLICATION_AT_MS })).toContain('"Schedule"');
    expect(card({ asksApproval: true })).toContain("Send for approval");
    expect(card({ asksApproval: true })).toContain("needed from somebody else");
    expect(card({ description: undefined })).toContain("No description yet");
  });

  it("disables Publish while its time cannot be parsed, because it would be published at once", () => {
    const unreadable = publicationCardView(draft, nobody, "private", {
      problem: "“next week sometime” is not a time.",
    });
    expect(words(unreadable)).toMatch(/"label":"Publish now"[^}]*"disabled":true/);
    expect(words(unreadable)).toContain("**Goes out** once you've chosen a time");
  });

  it("has no component that could be mistaken for the publication's message", () => {
    expect(words(publicationCardView(draft, nobody, "public"))).not.toMatch(/"p":/);
  });

  it("says after submitting where to follow it", () => {
    const sent = (more: Partial<Publication>, channelId = "9", guildId: string | undefined = "1") =>
      words(publicationSentView(publication(more), { guildId, channelId }));
    expect(sent({})).toContain("https://discord.com/channels/1/2/3");
    expect(sent({}, "2")).toContain("https://discord.com/channels/1/2/3");
    expect(sent({ messageId: undefined })).toContain("follow it in <#2>.");
    expect(sent({ messageId: undefined }, "2")).toContain("follow it here");
    expect(sent({ state: "expired" })).toContain("has expired");
    const here = { guildId: undefined, channelId: "2" };
    expect(words(publicationSentView(publication(), here))).toContain("https://discord.com/channels/@me/2/3");
  });

  it("follows a choice of videos and servers", () => {
    const choice = words(whichVideoView([draft], [{ name: "x*.mp4", sentence: "Too small." }], "private"));
    expect(choice).toContain("opening.mp4");
    expect(choice).toContain("x\\\\*.mp4: Too small.");
    expect(words(whichServerView([{ guildId: "9", name: "Club" }], "55"))).toContain('"m":"55"');
  });
});

describe("the form of a publication", () => {
  const target = { command: "video/card", action: "edit", args: { d: "abcd1234" } };

  it("contains the current texts, and times as they can be typed", () => {
    const form = words(
      publicationForm(
        publication({ publishAtMs: PUBLICATION_AT_MS, timeZone: "America/New_York" }),
        target,
      ) as never,
    );
    expect(form).toContain("2026-11-18 12:20");
    expect(form).toContain("Steam and cake");
  });

  it("changes the time only if it was edited", () => {
    const timed = publication({ publishAtMs: PUBLICATION_AT_MS });
    expect(readPublicationForm({ publishAt: ["2026-11-18 17:20"], title: ["A"] }, timed)).toEqual({
      title: "A",
      description: undefined,
    });
    expect(readPublicationForm({ publishAt: [] }, timed)).toHaveProperty("publishAt", undefined);
    expect(readPublicationForm({ publishAt: ["tomorrow 9:00"] }, timed).publishAt).toBe("tomorrow 9:00");
    expect(readPublicationForm({}, publication())).not.toHaveProperty("publishAt");
  });
});

describe("the answer to a press", () => {
  it("does not promise more than is known", () => {
    const textFor = (more: Parameters<typeof publication>[0]) =>
      words(publicationAnswerView(publication(more), "cancelled"));
    expect(textFor({ state: "cancelled" })).toContain("Nothing was published");
    expect(textFor({ state: "uploading", isStopping: true })).toContain("whether that was in time");
    expect(words(publicationAnswerView(publication(), "approved"))).toContain("<#2>");
  });

  it("shows the video that may be it, or says that there is none, with two buttons", () => {
    const found = {
      id: "10203040506070809",
      title: "Opening [day]",
      createdAtMs: PUBLICATION_AT_MS,
      link: "https://v.example/1",
    };
    const unknown = publication({ state: "outcome-unknown" });
    const buttons = (reply: Reply) => JSON.stringify(reply).match(/"label":"[^"]+"/g);
    const there = findingView(unknown, { candidate: found });
    expect(words(there)).toContain("(https://v.example/1)");
    expect(words(there)).toContain("10203040506070809");
    expect(buttons(there)).toEqual(['"label":"This is it"', '"label":"Publish again"']);
    expect(JSON.stringify(there)).toContain('"action":"again","args":{"p":"abcd1234","v":".2sgoc3mm5g9"}');
    const another = findingView(unknown, { candidate: { ...found, id: "1020304050607" }, seen: [found.id] });
    expect(words(another)).toContain("I also found this");
    expect(JSON.stringify(another)).toContain('"v":".2sgoc3mm5g9.d0pyorzj"');
    const nothing = findingView(unknown, {});
    expect(words(nothing)).toContain("newest videos could be it");
    expect(buttons(nothing)).toEqual(['"label":"Publish again"', '"label":"Leave it"']);
    expect(words(findingView(publication({ state: "published" }), {}))).toContain("is published");
    const problem = { of: "account", kind: "no-account" } as const;
    const account = { key: "page:1", name: undefined, isLinked: false } as const;
    const unlinked = findingView({ ...unknown, account }, { problem });
    expect(words(unlinked)).toContain("/video account link");
    expect(words(unlinked)).toContain("Leave it");
    expect(words(unlinked)).not.toContain("Publish again");
    const ours = findingView({ ...unknown, account: { ...account, key: "operator" } }, { problem });
    expect(words(ours)).toContain("the bot's own account: please tell the person who runs this bot");
    expect(words(ours)).not.toContain("/video account link");
    const refused = findingView(unknown, { problem: { of: "video", kind: "not-permitted" } });
    expect(words(refused)).toContain("This account's token doesn't allow that.");
    expect(buttons(refused)).toEqual(['"label":"Look again"', '"label":"Leave it"']);
    const long = findingView(unknown, { candidate: { ...found, title: "*[x](y)*".repeat(30) } });
    const sent = formatReply(long, 1_000_000);
    expect(sent.refused).toEqual([]);
    expect(JSON.stringify(sent.body)).toContain("v.example/1)");
  });

  it("shows what has happened so far", () => {
    const act: AuditEntry = {
      id: "act001",
      atMs: PUBLICATION_AT_MS,
      actorId: "8",
      act: "approved",
      publicationId: "abcd1234",
      videoId: undefined,
      note: undefined,
    };
    expect(words(publicationDetailsView(publication(), [act]))).toContain("<@8> approved a video");
    const failed = { ...act, actorId: undefined, act: "failed" } as const;
    const textFor = (note: string) => words(publicationDetailsView(publication(), [{ ...failed, note }]));
    expect(textFor("no-account")).toContain(
      "I couldn't publish a video: the account can no longer be used here",
    );
    expect(textFor("slow-down")).toContain(
      "I couldn't publish a video: the video service asked me to slow down",
    );
    expect(textFor("outcome-unknown")).toContain("couldn't find out whether a video was published\\n");
  });
});

const PROBLEM: PublicationProblem = { of: "video", kind: "unavailable" };

describe("the text of a failure", () => {
  it("is a different sentence for every kind of trouble", () => {
    // The names are those of the table.
    const troubles = Object.keys(TROUBLES) as VideoTrouble[];
    const sentences = troubles.map((trouble) => videoProblemWords({ kind: "rejected", trouble }));
    expect(new Set(sentences).size).toBe(troubles.length);
    for (const sentence of sentences) {
      expect(sentence).toMatch(/^[A-Z].*\.$/);
    }
  });

  it("names the permission, and escapes the service's sentence for people", () => {
    expect(videoProblemWords({ kind: "not-permitted", permission: "pages_manage_posts" })).toContain(
      "`pages_manage_posts`",
    );
    expect(videoProblemWords({ kind: "rejected", words: "Not *today*" })).toContain("“Not \\*today\\*”");
  });

  it("exists for a stored kind that this version does not know", () => {
    const problem = parseProblem(
      publicationRecord({ problem: '{"of":"video","kind":"of-another-version"}' }),
    );
    expect(problem && publicationProblemWords(problem)).toMatch(/^Something went wrong/);
  });

  it("says whose failure it was", () => {
    expect(publicationProblemWords({ ...PROBLEM, of: "discord", kind: "not-found" })).toContain(
      "attach the video again",
    );
    expect(publicationProblemWords({ ...PROBLEM, of: "discord" })).toMatch(/from Discord/);
    expect(publicationProblemWords({ ...PROBLEM, of: "storage" })).toContain("my database");
    const noAccount = { ...PROBLEM, of: "account", kind: "no-account" } as const;
    expect(publicationProblemWords(noAccount, "server")).toMatch(/no longer linked.*`\/video account link`/);
    expect(publicationProblemWords(noAccount, "bot")).toMatch(/bot's own account.*`\/video account link`/);
    expect(publicationProblemWords(noAccount, "bot")).not.toContain("linked");
    expect(publicationProblemWords({ ...PROBLEM, of: "bug", kind: "bug" })).toContain("my side");
  });
});

const account: LinkedAccount = {
  accountId: "42",
  name: "Garden *Railway*",
  linkedBy: "7",
  linkedAtMs: PUBLICATION_AT_MS,
  endsAtMs: undefined,
  brokenBecause: undefined,
  missing: [],
};

describe("a server's account", () => {
  it("is shown with its state, what it lacks, and ways to change it", () => {
    const shown = words(
      accountView({
        linked: { ...account, brokenBecause: "token-dead", missing: ["read_insights"] },
        mayUseOperator: true,
        canLink: true,
      }),
    );
    for (const part of [
      "Garden \\\\*Railway\\\\*",
      "no longer accepts",
      "`read_insights` (statistics)",
      "Unlink…",
      "Link another",
    ]) {
      expect(shown).toContain(part);
    }
    const unreadable = { ...account, brokenBecause: "unreadable" } as const;
    const shownUnreadable = words(accountView({ linked: unreadable, mayUseOperator: true, canLink: true }));
    expect(shownUnreadable).toContain("tell the person who runs this bot");
    expect(shownUnreadable).not.toContain("no longer accepts");
    expect(words(accountLinkedView(account))).toContain("kept encrypted");
  });

  it("has notices for a token that no longer works or will soon expire", () => {
    const endsAtMs = PUBLICATION_AT_MS + 7 * 86_400_000;
    const textFor = (more: Partial<LinkedAccount>) =>
      words(accountNoticeView({ ...account, endsAtMs, ...more }));
    expect(textFor({ brokenBecause: "token-dead" })).toContain("no longer accepts");
    expect(textFor({})).toContain(`its access token expires <t:${endsAtMs / 1_000}:R>`);
  });

  it("says which account a server without one publishes with", () => {
    const shown = (mayUseOperator: boolean, canLink: boolean) =>
      words(accountView({ linked: undefined, mayUseOperator, canLink }));
    expect(shown(true, true)).toContain("bot's own account");
    expect(shown(false, true)).toContain("no account to publish with");
    expect(shown(false, false)).not.toContain('"form"');
  });

  it("is unlinked after a question that says what happens to uploads in progress", () => {
    expect(words(confirmUnlinkView(account, false))).toContain(
      "nothing can be published until another is linked",
    );
    expect(words(confirmUnlinkView(account, true))).toContain("Uploads in progress stop");
    expect(words(unlinkedView(true))).toContain('"Link another"');
    expect(words(unlinkedView(false))).toContain('"Link an account"');
  });
});

describe("settings and history", () => {
  it("say who approves, in which channel, and in which time zone", () => {
    const all = {
      approvalChannelId: undefined,
      approverRoleId: undefined,
      publisherRoleId: undefined,
      timeZone: "America/New_York",
      pingRoleId: undefined,
    };
    expect(words(videoSettingsView(all))).toContain("not needed");
    expect(words(videoSettingsView(all))).toContain("New York time");
    for (const option of Object.keys(settings.options ?? {})) {
      expect(words(videoSettingsView(all))).toContain(`\`${option}\``);
    }
    const some = words(videoSettingsView({ ...all, approvalChannelId: "5", approverRoleId: "6" }, "Saved."));
    expect(some).toContain("<#5>");
    expect(some).toContain("<@&6>");
    expect(some).not.toContain("notifies");
    const pinging = words(videoSettingsView({ ...all, approvalChannelId: "5", pingRoleId: "7" }));
    expect(pinging).toContain("**Pinged for approval** <@&7>\\n-# Discord notifies a role only if");
  });

  it("are shown page by page", () => {
    const entries = Array.from({ length: ENTRIES_SHOWN + 1 }, (_, index): AuditEntry => ({
      id: `act00${index}`,
      atMs: PUBLICATION_AT_MS - index,
      actorId: index === 0 ? undefined : "7",
      act: "denied",
      publicationId: undefined,
      videoId: undefined,
      note: "publish *a* video",
    }));
    const first = words(videoHistoryView(entries, true, new Map()));
    expect(first).toContain("Somebody tried something that they aren't allowed to do");
    expect(first).toContain("publish \\\\*a\\\\* video");
    const lastMs = PUBLICATION_AT_MS - ENTRIES_SHOWN + 1;
    expect(first).toContain(`"args":{"b":"${lastMs.toString(36)}","i":"act009"}`);
    expect(first).not.toContain("Newest");
    expect(words(videoHistoryView([], false, new Map()))).toContain("Nothing yet");
  });

  it("have one line for each entry, whatever reason somebody types", () => {
    const act = { id: "a", atMs: PUBLICATION_AT_MS, actorId: "7", act: "refused" } as const;
    const note = "no\n18 Nov · Grace approved a video: Opening day";
    expect(auditLine({ ...act, publicationId: undefined, videoId: undefined, note })).toContain(
      "refused a video: no 18 Nov",
    );
  });

  it.each([
    ["needs-confirmation", "I could no longer use the account: its owner must log in"],
    ["permission", "I could no longer use the account: a permission is missing"],
    ["blocked", "I could no longer use the account: the video service has blocked the account"],
  ])("say why an account cannot be used (%s)", (note, expected) => {
    const act = { id: "a", atMs: PUBLICATION_AT_MS, actorId: undefined, act: "account-broken" } as const;
    expect(auditLine({ ...act, publicationId: undefined, videoId: undefined, note })).toContain(expected);
  });

  it("name the bot only for its own actions", () => {
    const line = (act: AuditEntry["act"], note?: string) =>
      auditLine({
        id: "act001",
        atMs: PUBLICATION_AT_MS,
        actorId: undefined,
        act,
        publicationId: undefined,
        videoId: undefined,
        note,
      });
    expect(line("published")).toContain(" · I published a video");
    expect(line("cancelled", "I was removed from the server")).toContain(" · I cancelled a video");
    // A person whose data was erased leaves an entry without a name.
    expect(line("approved", "Opening day")).toContain(" · Somebody approved a video: Opening day");
    expect(line("cancelled")).toContain(" · Somebody cancelled a video");
  });

  it("name the video if it is known", () => {
    const act: AuditEntry = {
      id: "act001",
      atMs: PUBLICATION_AT_MS,
      actorId: "7",
      act: "submitted",
      publicationId: "abcd1234",
      videoId: undefined,
      note: undefined,
    };
    const about = new Map([["abcd1234", "Opening *day*"]]);
    const history = words(videoHistoryView([act, { ...act, publicationId: "gone1234" }], true, about));
    expect(history).toContain("submitted a video · “Opening \\\\*day\\\\*”\\n");
    expect(history.match(/submitted a video/g)).toHaveLength(2);
    expect(history.match(/Opening/g)).toHaveLength(1);
    const deleted: AuditEntry = { ...act, act: "deleted", note: "Opening *day*" };
    expect(words(videoHistoryView([deleted], true, about)).match(/Opening/g)).toHaveLength(1);
  });
});

describe("a line of text", () => {
  it("keeps joined emoji and letters, and removes direction marks", () => {
    for (const text of ["👨‍👩‍👧 at the 🏴󠁧󠁢󠁳󠁣󠁴󠁿 line", "می‌خواهم"]) {
      expect(oneLine(text, 100)).toBe(text);
    }
    expect(oneLine("a\u202eb\n\tc", 100)).toBe("a b c");
  });
});
