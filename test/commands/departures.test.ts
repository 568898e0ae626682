import { readArgs } from "../support/read-args.ts";
import { describe, expect, it } from "vitest";
import arrivals from "../../commands/arrivals.ts";
import departures from "../../commands/departures.ts";
import { UserError } from "../../src/core/errors.ts";
import type { BoardPictureModel } from "../../src/render/board-picture.ts";
import type { BoardQuestion } from "../../src/rail/departures.ts";
import type { Train, TrainReference } from "../../src/rail/trains.ts";
import { boardArgs } from "../../src/rail/board-args.ts";
import { trainMenu } from "../../src/rail/train-view.ts";
import { LEEDS, YORK, board, boardRow, ukTime } from "../support/boards.ts";

const TRAIN: Train = {
  mode: "train",
  origin: "Edinburgh",
  destination: "London Kings Cross",
  operator: "LNER",
  points: [],
  position: { kind: "unreported" },
  delayMinutes: undefined,
  dataAt: ukTime("2026-11-21 17:20"),
  credit: "",
  stale: undefined,
};
const PICTURE = new Uint8Array([1, 2, 3]);
const known = [YORK, LEEDS];
const stations = {
  byCrs: (crs: string) => known.find((one) => one.crs === crs.toUpperCase()),
  find: (text: string) => known.find(({ crs, name }) => [crs, name].includes(text)),
  resolve(text: string) {
    const found = known.find(({ crs, name }) => [crs, name].includes(text));
    if (found === undefined) {
      throw new UserError("I know no such station.");
    }
    return found;
  },
  suggest: (text: string) => known.filter(({ name }) => name.startsWith(text)),
};

function world() {
  const asked: BoardQuestion[] = [];
  const drawn: BoardPictureModel[] = [];
  const opened: TrainReference[] = [];
  const context = {
    caller: { id: "1", roles: [] },
    usableCommands: async () => new Set<string>(),
    fileLimitBytes: 10_485_760,
    where: { guildId: undefined, channelId: "2" },
    progress: () => {},
    services: {
      departures: {
        board: async (question: BoardQuestion) => {
          asked.push(question);
          return board([boardRow()], { question });
        },
      },
      trains: {
        open: async (reference: TrainReference) => {
          opened.push(reference);
          return TRAIN;
        },
      },
      pictures: {
        board: async (model: BoardPictureModel) => {
          drawn.push(model);
          return PICTURE;
        },
        chart: async () => PICTURE,
        journey: async () => PICTURE,
      },
      stations: { ...stations, live: stations },
      railway: true as const,
    },
  };
  return { asked, drawn, opened, context };
}

const nothing = { operator: undefined, platform: undefined, rows: undefined, view: undefined };

describe("/departures", () => {
  it("asks for eight rows and replies with a picture by default", async () => {
    const { asked, drawn, context } = world();
    const reply = await departures.run({
      ...context,
      options: { station: "York", to: undefined, ...nothing },
    });
    expect(asked).toEqual([
      {
        kind: "departures",
        station: YORK,
        via: undefined,
        operator: undefined,
        platform: undefined,
        rows: 8,
        from: undefined,
      },
    ]);
    expect(drawn[0]?.station).toBe("York");
    expect(reply).toMatchObject({ files: [{ name: "board.png", bytes: PICTURE }] });
  });

  it("passes every filter on, and draws nothing for the text view", async () => {
    const { asked, drawn, context } = world();
    const options = {
      station: "YRK",
      to: "Leeds",
      operator: " gr ",
      platform: " 4b",
      rows: 3,
      view: "text" as const,
    };
    const reply = await departures.run({ ...context, options });
    expect(asked[0]).toMatchObject({ via: LEEDS, operator: "LNER", platform: "4b", rows: 3 });
    expect(drawn).toEqual([]);
    expect(reply).not.toHaveProperty("files");
  });

  it("refuses a filter that is too long for a button's id", async () => {
    const { asked, context } = world();
    const options = { ...nothing, station: "York", to: undefined, operator: "漢".repeat(20) };
    expect(() => departures.run({ ...context, options })).toThrow(UserError);
    expect(asked).toEqual([]);
  });

  it("suggests stations by name, with their codes, and operators", async () => {
    const { context } = world();
    const { station, operator } = departures.options ?? {};
    const typed = { ...context, typed: {}, recent: [] };
    expect(station?.autocomplete({ text: "Yo", ...typed })).toEqual([{ name: "York (YRK)", value: "YRK" }]);
    expect(operator?.autocomplete({ text: "LNE", ...typed })).toContainEqual({
      name: "LNER (GR)",
      value: "LNER",
    });
  });

  it("shows the board of a button's arguments, at their time", async () => {
    const { asked, context } = world();
    const from = ukTime("2026-11-21 19:20");
    const args = readArgs(boardArgs, {
      s: "YRK",
      v: "LDS",
      n: "3",
      w: "t",
      a: (from.epochMilliseconds / 60_000).toString(36),
    });
    const message = { id: "1", channelId: "2", content: "", attachments: [], media: [] };
    const reply = await departures.buttons?.later.run({ ...context, args, message });
    expect(asked[0]).toMatchObject({ kind: "departures", via: LEEDS, rows: 3 });
    expect(asked[0]?.from?.equals(from)).toBe(true);
    expect(reply).not.toHaveProperty("files");
  });

  it("opens the train that a person chose from the menu, privately", async () => {
    const { opened, context } = world();
    const menu = trainMenu("departures", {
      crs: "YRK",
      rows: [boardRow({ trainUid: "C00001", startDate: "2026-11-21" })],
      dataAt: ukTime("2026-11-21 17:20"),
    });
    const message = { id: "1", channelId: "2", content: "", attachments: [], media: [] };
    const chosen = menu?.choices.map(({ value }) => value) ?? [];
    const args = { crs: "YRK" };
    const reply = await departures.selects?.train.run({ ...context, args, message, chosen });
    expect(opened).toEqual([
      {
        crs: "YRK",
        kind: "departures",
        mode: "train",
        aimedAt: ukTime("2026-11-21 17:31"),
        place: "London Kings Cross",
        trainUid: "C00001",
        startDate: "2026-11-21",
      },
    ]);
    expect(reply).toMatchObject({ visibility: "private" });
    await expect(
      Promise.resolve().then(() =>
        departures.selects?.train.run({ ...context, args, message, chosen: ["../x"] }),
      ),
    ).rejects.toThrow(UserError);
  });
});

describe("/arrivals", () => {
  it("asks for trains that called at another station first", async () => {
    const { asked, context } = world();
    await arrivals.run({ ...context, options: { station: "York", from: "Leeds", ...nothing } });
    expect(asked[0]).toMatchObject({ kind: "arrivals", station: YORK, via: LEEDS });
  });

  it("shows arrivals after its own buttons are pressed", async () => {
    const { asked, context } = world();
    const message = { id: "1", channelId: "2", content: "", attachments: [], media: [] };
    await arrivals.buttons?.refresh.run({ ...context, args: readArgs(boardArgs, { s: "YRK" }), message });
    expect(asked[0]?.kind).toBe("arrivals");
  });
});
