// What must never happen: an incident told in two messages, or twice with a ping, whatever dies and whenever. test/long
// repeats it.
import { expect, it } from "vitest";
import {
  outlastsLateRequests,
  tellsCommuteOnce,
  tellsDisruptionOnce,
  tellsTrainOnce,
} from "../support/watch-properties.ts";

const LIVES = 12;
const TIME = { timeout: 120_000 };

it.each([{}, { guildId: "1", channelId: "11" }])(
  "tells a train in one message, with one ping and one for each kind of worse news, and its end, without any help of nonces (%j)",
  TIME,
  (place) => expect(tellsTrainOnce(place, LIVES)).resolves.toBeUndefined(),
);

it("tells no train twice though requests come in late", TIME, () =>
  expect(outlastsLateRequests(LIVES)).resolves.toBeUndefined(),
);

it("tells a disruption in one message with one ping, and when it is over", TIME, () =>
  expect(tellsDisruptionOnce(LIVES)).resolves.toBeUndefined(),
);

it("tells a commute's day in one message, and goes on", TIME, () =>
  expect(tellsCommuteOnce(LIVES)).resolves.toBeUndefined(),
);
