import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatUkTime } from "../../src/time/uk-time.ts";
import type { BoardRow } from "../../src/rail/departures.ts";
import { boardPictureModel } from "../../src/rail/board-picture-view.ts";
import { boardAltText, boardMarkdown } from "../../src/rail/board-view.ts";
import { LEEDS, board, boardRow, realisticRow, ukTime } from "../support/boards.ts";

describe("a board as Markdown", () => {
  it("shows time, place and platform first, bad news in bold, and the rest in small print", () => {
    const text = boardMarkdown(
      board([
        boardRow(),
        boardRow({
          place: "Leeds",
          platform: "8",
          operator: "Northern",
          aimedAt: ukTime("2026-11-21 17:34"),
          expectedAt: ukTime("2026-11-21 17:41"),
          delayMinutes: 7,
          state: "late",
        }),
        boardRow({
          aimedAt: ukTime("2026-11-21 17:38"),
          place: "Newcastle",
          expectedAt: undefined,
          delayMinutes: undefined,
          state: "cancelled",
        }),
        boardRow({ aimedAt: ukTime("2026-11-21 17:44"), place: "Hull", mode: "bus", platform: undefined }),
        boardRow({
          aimedAt: ukTime("2026-11-21 17:52"),
          expectedAt: ukTime("2026-11-21 17:50"),
          delayMinutes: -2,
          state: "early",
          via: ["Leeds", "Hull"],
        }),
        boardRow({
          aimedAt: ukTime("2026-11-21 17:58"),
          expectedAt: undefined,
          delayMinutes: undefined,
          state: "delayed",
          operator: undefined,
        }),
      ]),
    );
    expect(text.split("\n")).toEqual([
      "**17:31** London Kings Cross · platform 4",
      "-# On time · LNER",
      "**17:34** → **17:41** Leeds · platform 8",
      "-# 7 min late · Northern",
      "~~**17:38** Newcastle~~ · platform 4 · **Cancelled**",
      "-# LNER",
      "🚌 **17:44** Hull · replacement bus",
      "-# On time · LNER",
      "**17:52** → **17:50** London Kings Cross · platform 4",
      "-# 2 min early · via Leeds and Hull · LNER",
      "**17:58** London Kings Cross · platform 4 · **Delayed**",
    ]);
  });

  it("says why a train is late or cancelled, and where it does not call", () => {
    const aimedAt = ukTime("2026-11-21 17:34");
    const late = { state: "late", expectedAt: ukTime("2026-11-21 17:41"), delayMinutes: 7 } as const;
    const gone = { state: "cancelled", expectedAt: undefined, delayMinutes: undefined } as const;
    const rows = [
      boardRow({ ...late, aimedAt, reason: "This service has been delayed by a points failure" }),
      boardRow({ ...gone, reason: "This train has been cancelled because of *trespassers*." }),
      boardRow({ ...gone, state: "delayed", reason: "Awaiting a driver." }),
      boardRow({ viaCancelled: true, reason: "This service has been cancelled due to snow" }),
      boardRow({ reason: "This service has been delayed by nothing any more" }),
    ];
    const shown = board(rows, { asked: { via: LEEDS } });
    expect(
      boardMarkdown(shown)
        .split("\n")
        .filter((line) => line.startsWith("-#")),
    ).toEqual([
      "-# 7 min late because of a points failure · LNER",
      "-# Because of \\*trespassers\\* · LNER",
      "-# Awaiting a driver · LNER",
      "-# **to Leeds\\: cancelled** · On time · Because of snow · LNER",
      "-# On time · LNER",
    ]);
    expect(boardAltText(shown)).toContain("to Leeds: cancelled");
    expect(boardAltText(shown)).toContain("7 min late, because of a points failure, LNER.");
    // If there is not enough room, reasons are left out before trains.
    const crowded = board(
      Array.from({ length: 10 }, () => boardRow({ ...late, aimedAt, reason: `It is ${"long ".repeat(30)}` })),
    );
    expect(boardAltText(crowded)).not.toContain("long");
    expect(boardPictureModel(shown).rows[3]).toMatchObject({
      warning: "to Leeds: cancelled",
      detail: "LNER",
    });
    // Without a filter by way station, there is none to name.
    expect(boardMarkdown(board(rows))).not.toContain("Leeds");
  });

  it("says where a train that is cut short no longer goes, and why", () => {
    const reason = "This service has been cancelled because of snow";
    const shown = board([
      boardRow({ place: "Three Bridges", cancelledPlace: "Brighton", laterCancelled: true, reason }),
      boardRow({ laterCancelled: true, via: ["Leeds"] }),
      boardRow({ viaCancelled: true, cancelledPlace: "Brighton" }),
    ]);
    expect(boardMarkdown(shown).split("\n")).toEqual([
      "**17:31** Three Bridges · platform 4",
      "-# **to Brighton\\: cancelled** · On time · Because of snow · LNER",
      "**17:31** London Kings Cross · platform 4",
      "-# **some later stops cancelled** · On time · via Leeds · LNER",
      "**17:31** London Kings Cross · platform 4",
      "-# **to Brighton\\: cancelled** · On time · LNER",
    ]);
    expect(boardAltText(shown)).toContain("Three Bridges, to Brighton: cancelled, platform 4, on time,");
    expect(boardPictureModel(shown).rows.slice(0, 2)).toMatchObject([
      { warning: "to Brighton: cancelled", detail: "LNER" },
      { warning: "some later stops cancelled", detail: "via Leeds · LNER" },
    ]);
    const filtered = board([boardRow({ viaCancelled: true, cancelledPlace: "Brighton" })], {
      asked: { via: LEEDS },
    });
    expect(boardAltText(filtered)).toContain("to Leeds: cancelled");
    expect(boardAltText(filtered)).not.toContain("Brighton");
  });

  it("names the way that a train takes, without which two of them would look alike", () => {
    const shown = board([boardRow(), boardRow({ route: "via *Hounslow*" })]);
    expect(boardMarkdown(shown).split("\n").slice(1)).toEqual([
      "-# On time · LNER",
      "**17:31** London Kings Cross · platform 4",
      "-# On time · via \\*Hounslow\\* · LNER",
    ]);
    expect(boardAltText(shown)).toContain("London Kings Cross, via *Hounslow*, platform 4");
    expect(boardPictureModel(shown).rows.map(({ detail }) => detail)).toEqual([
      "LNER",
      "via *Hounslow* · LNER",
    ]);
  });

  it("names the day of trains after midnight", () => {
    const late = board([boardRow({ aimedAt: ukTime("2026-11-22 00:04"), state: "scheduled" })], {
      dataAt: ukTime("2026-11-21 23:50"),
    });
    expect(boardMarkdown(late)).toContain("**00:04** (Sun) London Kings Cross");
    expect(boardAltText(late)).toContain("00:04 (Sun) London Kings Cross");
  });

  it("uses the UK date in summer, when it is still the day before in UTC", () => {
    const summer = board([boardRow({ aimedAt: ukTime("2026-07-02 00:10") })], {
      dataAt: ukTime("2026-07-02 00:05"),
    });
    expect(boardMarkdown(summer)).toContain("**00:10** London Kings Cross");
  });

  it("escapes hostile names", () => {
    const name = "```\n# York @everyone <@1> [x](https://x.example) ||~~**_\u202E\u0000";
    const text = boardMarkdown(board([boardRow({ place: name, operator: name, platform: "`4`" })]));
    expect(text.split("\n")).toHaveLength(2);
    // Only the bot's own markup remains: bold times, and the small print of the last line.
    expect(text.replace("\n-# ", "\n")).not.toMatch(/(?<!\\)[`<@[\]()|_~#]/);
    expect(text).not.toMatch(/https:\/\//);
    expect(text).not.toMatch(/(?!\n)\p{C}/u);
    expect(boardAltText(board([boardRow({ place: name })]))).not.toMatch(/\n/);
  });

  it("truncates a very long name", () => {
    const text = boardMarkdown(
      board(Array.from({ length: 10 }, () => boardRow({ place: "*".repeat(5_000) }))),
    );
    expect(text.length).toBeLessThan(3_000);
    expect(text).toContain("…");
  });
});

describe("an empty board", () => {
  const next = boardRow({ place: "Leeds_", aimedAt: ukTime("2026-11-22 05:12") });

  it("says when the next train leaves", () => {
    expect(boardMarkdown(board([], { next }))).toBe(
      "No departures in the next two hours. The next is the 05:12 to Leeds\\_ tomorrow.",
    );
  });

  it("says so for arrivals, for a later day and for a late train", () => {
    const empty = board([], {
      asked: { kind: "arrivals" },
      next: boardRow({
        place: "Leeds",
        aimedAt: ukTime("2026-11-23 05:12"),
        expectedAt: ukTime("2026-11-23 05:20"),
        delayMinutes: 8,
        state: "late",
      }),
    });
    expect(boardMarkdown(empty)).toBe(
      "No arrivals in the next two hours. The next is due at 05:12 on Mon 23 Nov, from Leeds (expected 05:20).",
    );
  });

  it("names the hours that it covers if they are not the next ones", () => {
    const later = board([], { asked: { from: ukTime("2026-11-22 01:00") }, next });
    expect(boardMarkdown(later)).toContain("No departures in the two hours from Sun 01:00.");
  });

  it("ignores a start long past: an old button shows now", () => {
    const old = board([], { asked: { from: ukTime("2026-11-20 09:00") }, next });
    expect(boardMarkdown(old)).toContain("No departures in the next two hours.");
  });

  it("does not invent a next train", () => {
    expect(boardMarkdown(board([]))).toBe("No departures in the next 24 hours.");
    expect(boardMarkdown(board([], { isNearOnly: true }))).toBe("No departures in the next two hours.");
  });

  it("does not sound as if no trains run if a filter matches none, and suggests what to try", () => {
    expect(boardMarkdown(board([], { asked: { platform: "99" } }))).toBe(
      "No matching trains in the next 24 hours. Try removing a filter.",
    );
    expect(boardMarkdown(board([], { asked: { via: LEEDS } }))).toBe(
      "No direct trains in the next 24 hours. Try a station on the way.",
    );
    expect(boardMarkdown(board([], { asked: { via: LEEDS, operator: "LNER" }, next }))).toBe(
      "No matching trains in the next two hours. The next is the 05:12 to Leeds\\_ tomorrow.",
    );
  });
});

describe("the alt text", () => {
  it("reads the whole board", () => {
    const text = boardAltText(
      board([boardRow()], { asked: { via: LEEDS, operator: "LNER", platform: "4" } }),
    );
    expect(text).toBe(
      "Departures from York to Leeds, LNER, platform 4. As of 17:20 UK time, Sat 21 Nov. " +
        "17:31 London Kings Cross, platform 4, on time, LNER.",
    );
  });

  it("contains the same facts as the text and the picture, row by row, within Discord's limit", () => {
    fc.assert(
      fc.property(fc.array(realisticRow, { minLength: 1, maxLength: 10 }), (rows) => {
        const shown = board(rows);
        const alt = boardAltText(shown);
        const texts = boardMarkdown(shown).split(/\n(?!-# )/);
        const picture = boardPictureModel(shown).rows;
        expect(alt.length).toBeLessThanOrEqual(1_024);
        expect(texts).toHaveLength(rows.length);
        rows.forEach((row, index) => {
          const sentence = alt.split(". ").slice(2)[index] ?? "";
          const text = texts[index] ?? "";
          for (const fact of factsOf(row)) {
            expect(sentence.toLowerCase()).toContain(fact.toLowerCase());
            expect(text.toLowerCase()).toContain(fact.toLowerCase());
          }
          const drawn = JSON.stringify(picture[index]).toLowerCase();
          for (const fact of factsOf(row).map((one) => one.replace("platform ", ""))) {
            expect(drawn).toContain(fact.toLowerCase());
          }
        });
      }),
    );
  });
});

/** The facts about a row that every form must contain. */
function factsOf(row: BoardRow): string[] {
  const isOnTime = Math.abs(row.delayMinutes ?? 0) === 1;
  const state = {
    cancelled: "cancelled",
    delayed: "delayed",
    scheduled: "scheduled",
    expected: "due",
    "on-time": "on time",
    late: isOnTime ? "on time" : `${row.delayMinutes} min late`,
    early: isOnTime ? "on time" : `${-(row.delayMinutes ?? 0)} min early`,
  }[row.state];
  return [
    formatUkTime(row.aimedAt),
    row.place,
    state,
    ...(row.platform === undefined ? [] : [`platform ${row.platform}`]),
    ...(row.mode === "bus" ? ["replacement bus"] : []),
    ...(row.state === "late" && row.expectedAt && !isOnTime ? [formatUkTime(row.expectedAt)] : []),
  ];
}
