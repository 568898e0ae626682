// A transport client that gives the boards a test prepared and remembers what it was asked.
import type { TransportClient } from "../../../src/sources/transport-api/transport-client.ts";
import type { TransportBoard, TransportQuestion, TransportRow } from "../../../src/sources/transport-data.ts";

/** The moment at which these tests take place. */
export const NOW = Temporal.Instant.from("2026-03-04T17:20:40Z");

/** A moment of that day, "HH:MM", or a whole instant. */
export function at(text: string): Temporal.Instant {
  return Temporal.Instant.from(text.length === 5 ? `2026-03-04T${text}:00Z` : text);
}

/** A train aimed, and perhaps expected, at times of that day. */
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
    service: undefined,
    ...more,
  };
}

/** What one request is answered with: rows, or an error. */
export type Prepared = Partial<TransportBoard> | Error;

/** Gives one prepared board after the other; a request more than prepared is an error. */
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
          throw answer ?? new Error("one request more than this test expects");
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
