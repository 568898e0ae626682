// No incident may be reported in two messages or pinged twice, whatever crashes and whenever. test/long repeats these
// tests.
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
  "reports a train until it leaves in one message, with one ping and one for each kind of worse news, without nonces (%j)",
  TIME,
  (place) => expect(tellsTrainOnce(place, LIVES)).resolves.toBeUndefined(),
);

it("reports no train twice although requests arrive late", TIME, () =>
  expect(outlastsLateRequests(LIVES)).resolves.toBeUndefined(),
);

it("reports a disruption in one message with one ping, and when it is over", TIME, () =>
  expect(tellsDisruptionOnce(LIVES)).resolves.toBeUndefined(),
);

it("reports a day of a commute in one message, and stays active", TIME, () =>
  expect(tellsCommuteOnce(LIVES)).resolves.toBeUndefined(),
);
