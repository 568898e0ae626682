import { describe, expect, it } from "vitest";
import { ServiceError, UserError } from "../../src/core/errors.ts";
import { createAnswers } from "../../src/sources/answers.ts";
import { createFindTrain, findTrainRow } from "../../src/watches/find-train.ts";
import { createBoardRow } from "../../src/rail/board-row.ts";
import type { TrainSearch } from "../../src/watches/find-train.ts";
import { LEEDS, YORK } from "../support/boards.ts";
import { createStillClock } from "../support/still-clock.ts";
import { NOW, type Prepared, at, fakeTransport, train } from "../sources/transport-api/fake-transport.ts";

const NEW_DAY = "2026-03-05T05:12:00Z";

function world(...prepared: readonly Prepared[]) {
  const clock = createStillClock(NOW.epochMilliseconds);
  const { client, asked } = fakeTransport(...prepared);
  const answers = createAnswers({ clock, freshMs: 60_000, staleMs: 3_600_000 });
  const find = createFindTrain({ transport: client, answers, clock });
  const times = async (changed: Partial<TrainSearch> = {}) => {
    const question = { station: YORK, to: undefined, at: at("17:40"), isNow: false, ...changed };
    return (await find(question)).map(({ aimedAt }) => aimedAt.toString().slice(11, 16));
  };
  return { asked, times };
}

const rows = ["17:25", "17:31", "17:40", "17:44", "18:05", "18:20"].map((time) => train(time, time));

describe("the trains that a person may mean", () => {
  it("are those of exactly that minute, from the shared live board", async () => {
    const { asked, times } = world({ rows: [...rows, train("17:40", "17:52", { trainUid: "D00001" })] });
    expect(await times()).toEqual(["17:40", "17:40"]);
    expect(await times({ at: at("18:05") })).toEqual(["18:05"]);
    expect(asked).toHaveLength(1);
    expect(asked[0]).toMatchObject({ crs: "YRK", live: true });
    expect(asked[0]?.from).toBeUndefined();
  });

  it("are those around that minute if none leaves in it", async () => {
    const { times } = world({ rows });
    expect(await times({ at: at("17:42") })).toEqual(["17:40", "17:44", "18:05"]);
  });

  it("are all that leave soon, late ones too, if no time is given", async () => {
    const late = [train("16:55", "17:35"), train("17:05", "17:10"), ...rows];
    const { times } = world({ rows: late });
    const soon = ["16:55", "17:25", "17:31", "17:40", "17:44"];
    expect(await times({ at: NOW, isNow: true })).toEqual(soon);
  });

  it("call at the station where the person gets off", async () => {
    const { asked, times } = world({ rows });
    await times({ to: LEEDS });
    expect(asked[0]).toMatchObject({ via: "LDS" });
  });

  it("are planned trains beyond the live board", async () => {
    const { asked, times } = world({ rows: [train(NEW_DAY, undefined)] });
    const moment = train(NEW_DAY, undefined).aimedAt;
    expect(await times({ at: moment })).toEqual(["05:12"]);
    expect(asked).toHaveLength(1);
    expect(asked[0]).toMatchObject({ live: false, windowMinutes: 40 });
    expect(asked[0]?.from?.toString()).toBe("2026-03-05T05:02:00Z");
  });

  it("are live and planned trains if the board ends too early, and only live ones if the plan is spent", async () => {
    const cut = { rows: rows.slice(0, 3), coversUntil: at("17:40") };
    const rest = { rows: rows.slice(3) };
    const whole = world(cut, rest);
    expect(await whole.times({ at: at("17:42") })).toEqual(["17:40", "17:44", "18:05"]);
    expect(whole.asked[1]).toMatchObject({ live: false });
    const spent = new ServiceError("transport", "budget-spent", "spent");
    expect(await world(cut, spent).times({ at: at("17:42") })).toEqual(["17:40"]);
    await expect(world(spent).times()).rejects.toBe(spent);
  });

  it("are only trains that have not left", async () => {
    const { times } = world({ rows: [train("17:19", "17:19"), train("17:15", "17:30")] });
    expect(await times({ at: at("17:15") })).toEqual(["17:15"]);
    expect(await times({ at: at("17:19") })).toEqual(["17:15"]);
  });
});

describe("a train in another source's answer", () => {
  const known = createBoardRow(train("17:31", "17:31", { trainUid: "C00001", startDate: "2026-03-04" }));
  const otherRow = (aimed: string, more: Parameters<typeof train>[2] = {}) =>
    createBoardRow(train(aimed, aimed, { trainUid: "ldb:1337298YORK____", ...more }));

  it.each([
    ["at its minute", otherRow("17:31"), true],
    ["with a longer name for its place", otherRow("17:31", { place: "London Kings Cross and Hull" }), true],
    ["as a train that divides", otherRow("17:31", { place: "Hull and London Kings Cross" }), true],
    ["cut short", otherRow("17:31", { place: "Peterborough", cancelledPlace: "London Kings Cross" }), true],
    ["with a shorter name for its place", otherRow("17:31", { place: "London (Kings X)" }), true],
    ["a minute later", otherRow("17:32"), false],
    ["of another operator", otherRow("17:31", { operatorCode: "HT", operatorName: undefined }), false],
    ["to another place", otherRow("17:31", { place: "Leeds" }), false],
  ])("is found %s: %3$s", (_, row, isFound) => {
    expect(findTrainRow([row], { ...known, isSeen: true }) === row).toBe(isFound);
    expect(findTrainRow([known], { ...row, isSeen: true }) === known).toBe(isFound);
  });

  it("is found without its id after it was cut short, and when it runs in full again", () => {
    const whole = createBoardRow(train("17:31", "17:31", { trainUid: undefined }));
    const cut = { ...whole, place: "Peterborough", cancelledPlace: whole.place };
    expect(findTrainRow([cut], whole)).toBe(cut);
    expect(findTrainRow([whole], cut)).toBe(whole);
  });

  it("is not confused with another train of the same source and minute", () => {
    const other = createBoardRow(train("17:31", "17:31", { trainUid: "C00002" }));
    expect(findTrainRow([other], known)).toBeUndefined();
    expect(findTrainRow([other, otherRow("17:31")], known)?.trainUid).toBe("ldb:1337298YORK____");
  });
});

describe("before any request", () => {
  it("a journey from a station to itself and a day too far ahead are refused", async () => {
    const { asked, times } = world();
    await expect(times({ to: YORK })).rejects.toThrow(UserError);
    await expect(times({ at: NOW.add({ hours: 8 * 24 }) })).rejects.toThrow(/next 7 days/);
    expect(asked).toEqual([]);
  });
});
