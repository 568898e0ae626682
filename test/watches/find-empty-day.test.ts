import { expect, it } from "vitest";
import { createAnswers } from "../../src/sources/answers.ts";
import { ServiceError } from "../../src/core/errors.ts";
import { createFindEmptyDay } from "../../src/watches/watch-warnings.ts";
import type { WatchSettings } from "../../src/watches/watches.ts";
import { NOW, type Prepared, at, fakeTransport, train } from "../sources/transport-api/fake-transport.ts";
import { createStillClock } from "../support/still-clock.ts";
import { watchSettings, watchedCommute } from "../support/watches.ts";

async function emptyDay(what: WatchSettings["what"], ...prepared: readonly Prepared[]) {
  const clock = createStillClock(NOW.epochMilliseconds);
  const { client, asked } = fakeTransport(...prepared);
  const answers = createAnswers({ clock, freshMs: 60_000, staleMs: 3_600_000 });
  const findEmptyDay = createFindEmptyDay({ transport: client, answers, clock });
  return { empty: await findEmptyDay(watchSettings({ what })), asked };
}

const TOMORROW = "2026-03-05";
const commute = watchedCommute({ hours: { from: "07:00", to: "09:00" }, days: [3, 4] });

it("returns the next day of a commute without a planned direct train within its hours", async () => {
  const { empty, asked } = await emptyDay(commute, {});
  expect(empty).toEqual({ commute, day: TOMORROW });
  expect(asked).toMatchObject([{ crs: "YRK", via: "LDS", windowMinutes: 121, live: false }]);
  expect(asked[0]?.from).toEqual(at(`${TOMORROW}T07:00:00Z`));
});

it("returns no day if there are trains, if the answer ends before the hours do, or if no source knows", async () => {
  const rows = [train(`${TOMORROW}T07:30:00Z`, undefined)];
  expect((await emptyDay(commute, { rows })).empty).toBeUndefined();
  const coversUntil = at(`${TOMORROW}T08:00:00Z`);
  expect((await emptyDay(commute, { coversUntil })).empty).toBeUndefined();
  const cannot = new ServiceError("sources", "not-found", "too far ahead");
  expect((await emptyDay(commute, cannot)).empty).toBeUndefined();
});

it("asks nothing for a watch that is not a commute", async () => {
  const { empty, asked } = await emptyDay({ kind: "line", line: "victoria", days: [4] });
  expect({ empty, asked }).toEqual({ empty: undefined, asked: [] });
});
