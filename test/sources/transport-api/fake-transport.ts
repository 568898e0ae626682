// A fake transport client that returns prepared boards and records the questions.
import type { TransportClient } from "../../../src/sources/transport-api/transport-client.ts";
import type { TransportBoard, TransportQuestion, TransportRow } from "../../../src/sources/transport-data.ts";

/** The time of these tests. */
export const NOW = Temporal.Instant.from("2026-03-04T17:20:40Z");

/** A time on that day, "HH:MM", or a whole instant. */
export function at(text: string): Temporal.Instant {
  return Temporal.Instant.from(text.length === 5 ? `2026-03-04T${text}:00Z` : text);
}

/** A train with an aimed and perhaps an expected time on that day. */
export function train(
  aimed: string,
  expected: string | undefined,
  more: Partial<TransportRow> = {},
): TransportRow {
  return {
    mode: "train",
    status: undefined,
    aimedAt: at(aimed),
    expectedAt: expected === undefined ? undefined : at(expected),
    platform: "4",
    operatorCode: "GR",
    operatorName: "LNER",
    place: "London Kings Cross",
    trainUid: `C${aimed}`,
    ...more,
  };
}

/** The answer to one request: rows, or an error. */
export type Prepared = Partial<TransportBoard> | Error;

/** Returns the prepared boards in order; more requests than boards are an error. */
export function fakeTransport(...prepared: readonly Prepared[]): {
  readonly client: Pick<TransportClient, "board">;
  readonly asked: readonly TransportQuestion[];
} {
  const asked: TransportQuestion[] = [];
  return {
    asked,
    client: {
      async board(question) {
        const answer = prepared[asked.length];
        asked.push(question);
        if (answer === undefined || answer instanceof Error) {
          throw answer ?? new Error("the test expects no further request");
        }
        const start = question.from ?? at("17:20");
        return {
          source: "transport",
          crs: question.crs,
          stationName: "York",
          dataAt: NOW,
          coversUntil: start.add({ minutes: question.windowMinutes }),
          rows: [],
          ...answer,
        };
      },
    },
  };
}
