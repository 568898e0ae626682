// Watches through many more hard lives than test/watches/watches-once.test.ts.
import { expect, it } from "vitest";
import {
  outlastsLateRequests,
  tellsCommuteOnce,
  tellsDisruptionOnce,
  tellsTrainOnce,
} from "../support/watch-properties.ts";

const LIVES = 600;
const TIME = { timeout: 1_800_000 };

it.each([{}, { guildId: "1", channelId: "11" }])("tells a train once (%j)", TIME, (place) =>
  expect(tellsTrainOnce(place, LIVES)).resolves.toBeUndefined(),
);

it("tells no train twice though requests come in late", TIME, () =>
  expect(outlastsLateRequests(LIVES)).resolves.toBeUndefined(),
);

it("tells a disruption once", TIME, () => expect(tellsDisruptionOnce(LIVES)).resolves.toBeUndefined());

it("tells a commute's day once", TIME, () => expect(tellsCommuteOnce(LIVES)).resolves.toBeUndefined());
