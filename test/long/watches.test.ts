// Many more runs of the properties in test/watches/watches-once.test.ts.
import { expect, it } from "vitest";
import {
  outlastsLateRequests,
  tellsCommuteOnce,
  tellsDisruptionOnce,
  tellsTrainOnce,
} from "../support/watch-properties.ts";

const LIVES = 600;
const TIME = { timeout: 1_800_000 };

it.each([{}, { guildId: "1", channelId: "11" }])("reports a train once (%j)", TIME, (place) =>
  expect(tellsTrainOnce(place, LIVES)).resolves.toBeUndefined(),
);

it("reports no train twice if requests arrive late", TIME, () =>
  expect(outlastsLateRequests(LIVES)).resolves.toBeUndefined(),
);

it("reports a disruption once", TIME, () => expect(tellsDisruptionOnce(LIVES)).resolves.toBeUndefined());

it("reports a day of a commute once", TIME, () => expect(tellsCommuteOnce(LIVES)).resolves.toBeUndefined());
