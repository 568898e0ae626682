import { HTTPError, RateLimitError, type RateLimitData } from "discord.js";
import { describe, expect, it } from "vitest";
import { type Meter, noMeter } from "../../src/core/meter.ts";
import { collectLog } from "../support/collect-log.ts";
import { VideoRefusal } from "../../src/videos/client/refusal.ts";
import {
  ServiceError,
  UserError,
  type DiskProblem,
  type ServiceErrorKind,
  type SpentShare,
} from "../../src/core/errors.ts";
import { MessengerError, type MessengerProblem } from "../../src/core/ports.ts";
import { explainError as explainWith, noteAnswer } from "../../src/discord/explain-error.ts";
import { explainPictureError } from "../../src/pictures/explain-picture.ts";
import { explainVideoError } from "../../src/videos/video-problem-words.ts";

const KINDS: readonly ServiceErrorKind[] = [
  "unavailable",
  "timeout",
  "rate-limited",
  "out-of-credit",
  "budget-spent",
  "rejected",
  "not-found",
  "not-permitted",
  "unauthorised",
  "unexpected-answer",
  "too-large",
  "outcome-unknown",
  "aborted",
];
const noReference = "no reference is needed here";

/** Explains an error as the bot does, with the features' own sentences. */
const explainError = (error: unknown, reference: string) =>
  explainWith(error, (failure) => explainVideoError(failure) ?? explainPictureError(failure), reference);

describe("the explanation of an error", () => {
  it("is a UserError's own message", () => {
    expect(explainError(new UserError("No such station."), noReference)).toBe("No such station.");
  });

  it("names the railway's and London's sources as members know them", () => {
    const sentences = ["rail-data", "tfl"].map((service) =>
      explainError(new ServiceError(service, "unavailable", "no answer"), noReference),
    );
    expect(sentences.map((sentence) => sentence.split(" right now")[0])).toEqual([
      "I can't reach National Rail",
      "I can't reach Transport for London",
    ]);
  });

  it("has a different sentence for each kind, without the error's own message", () => {
    const sentences = KINDS.map((kind) =>
      explainError(new ServiceError("transport", kind, "https://example.org/?app_key=secret"), noReference),
    );
    expect(new Set(sentences).size).toBe(KINDS.length);
    for (const sentence of sentences) {
      expect(sentence).not.toMatch(/secret|https?:/);
      expect(sentence).toMatch(/^[A-Z].*\.$/);
    }
  });

  it("says whose share of a budget is used up, and when to try again", () => {
    const of = (service: string, reason: SpentShare | undefined) =>
      explainError(
        new ServiceError(service, "budget-spent", "secret", { reason, retryAfterMs: 460_000 }),
        noReference,
      );
    expect(of("transport", "own-share")).toBe(
      "You've used your share of the train data for now. Try again in about 8 minutes.",
    );
    expect(of("style", "server-share")).toBe(
      "This server has used its share of the pictures for now. Try again in about 8 minutes.",
    );
    expect(of("transport", undefined)).toMatch(
      /used up its train data for now\. Try again in about 8 minutes/,
    );
  });

  it("is about the picture if the style service refused it", () => {
    const of = (kind: ServiceErrorKind, status?: number) =>
      explainError(new ServiceError("style", kind, "secret", { status }), noReference);
    expect(of("rejected")).toContain("didn't accept this picture");
    expect(of("not-found")).toContain("/styles");
    expect(of("too-large", 413)).toContain("smaller one");
    expect(of("too-large", 200)).toContain("sent back a picture that's too large");
    expect(new Set(KINDS.map((kind) => of(kind))).size).toBe(KINDS.length);
  });

  it("includes the meaning of the video service's code and the service's own advice", () => {
    const refusal = new VideoRefusal("rejected", "secret", {
      trouble: "format",
      wordsForPeople: "Try *another* file",
      permission: undefined,
      resumeAt: undefined,
    });
    expect(explainError(refusal, noReference)).toMatch(/save the video as MP4.*Try \\\*another/);
    const of = (kind: ServiceErrorKind) =>
      explainError(new ServiceError("video", kind, "secret"), noReference);
    for (const kind of KINDS) {
      expect(of(kind)).toMatch(/^[A-Z].*\.$/);
      expect(of(kind)).not.toContain("secret");
    }
    const busy = new ServiceError("video", "rate-limited", "secret", { retryAfterMs: 600_000 });
    expect(explainError(busy, noReference)).toContain("in about 10 minutes");
  });

  it("says how long to wait if that is known", () => {
    const after = (retryAfterMs: number) =>
      explainError(new ServiceError("transport", "rate-limited", "slow down", { retryAfterMs }), noReference);
    expect(after(20_000)).toContain("in a minute");
    expect(after(600_000)).toContain("in about 10 minutes");
    expect(after(3 * 3_600_000)).toContain("in about 3 hours");
    expect(after(27 * 86_400_000)).toContain("in about 27 days");
  });

  it("says whom to tell if the disk is full or broken", () => {
    const of = (reason?: DiskProblem) =>
      explainError(new ServiceError("storage", "unavailable", "secret", { reason }), noReference);
    expect(of()).toContain("try again in a few minutes");
    expect(of("disk full")).toMatch(/^My disk is full.*tell the person who runs this bot/);
    for (const reason of ["i/o error", "read-only", "damaged"] as const) {
      expect(of(reason)).toMatch(/^My database has a fault.*tell the person who runs this bot/);
    }
  });

  it("names Discord if Discord fails, but not if it refuses what the bot sent", () => {
    const of = (problem: MessengerProblem, retryAfterMs?: number) =>
      explainError(new MessengerError(problem, "secret", { retryAfterMs }), "ab12cd34");
    const limit = { retryAfter: 600_000, scope: "user" } as RateLimitData;
    expect([
      of("unavailable"),
      of("slow-down", 600_000),
      of("outcome-unknown"),
      explainError(new RateLimitError(limit), noReference),
      explainError(new HTTPError(502, "Bad Gateway", "GET", "secret", {}), noReference),
      explainError(Object.assign(new Error("secret"), { code: "ECONNRESET" }), noReference),
      of("refused"),
    ]).toEqual([
      "I can't reach Discord right now. Please try again in a few minutes.",
      "Discord is busy. Please try again in about 10 minutes.",
      expect.stringMatching(/^Discord never said whether that worked\./),
      "Discord is busy. Please try again in about 10 minutes.",
      "I can't reach Discord right now. Please try again in a few minutes.",
      "I can't reach Discord right now. Please try again in a few minutes.",
      expect.stringContaining("`ab12cd34`"),
    ]);
  });

  it("has a reference for a bug, but nothing of its message", () => {
    const sentence = explainError(new TypeError("undefined is not a train"), "ab12cd34");
    expect(sentence).toContain("`ab12cd34`");
    expect(sentence).not.toContain("train");
  });
});

it("noteAnswer counts Discord's rate limit and a lost connection as Discord's, not as bugs", () => {
  const reasons: unknown[] = [];
  const count: Meter["count"] = (name, labels) => {
    if (name === "refusals_total") {
      reasons.push(labels);
    }
  };
  // The other details of the limit are for its message.
  const limit = new RateLimitError({ retryAfter: 90_000 } as RateLimitData);
  const lost = Object.assign(new Error("secret"), { code: "ECONNRESET" });
  const { log } = collectLog();
  const where = { guild: "1", user: "42", channel: "3", milliseconds: 5 };
  for (const error of [limit, lost]) {
    noteAnswer({ log, meter: { ...noMeter, count } }, { task: "bus", outcome: "failed", error }, where);
  }
  expect(reasons).toEqual([{ reason: "discord" }, { reason: "discord" }]);
});
