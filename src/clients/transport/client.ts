// The transport data service: one verb for each thing that can be asked. Both dialects are spoken when asking;
// answers of either are always understood.
import { Temporal } from "temporal-polyfill";
import type { Log } from "../../core/log.ts";
import { type AroundVerbs, createAroundVerbs } from "./ask-around.ts";
import { createRailVerbs, type RailVerbs } from "./ask-rail.ts";
import { createAsk, type AskDependencies } from "./ask.ts";
import { formatBoardRequest } from "./board-request.ts";
import { boardSchema } from "./board-schema.ts";
import { readBoard } from "./read-board.ts";
import { TRANSPORT } from "./refusal.ts";
import type { TransportBoard, TransportQuestion } from "./transport-board.ts";

/** What the bot asks of the transport service. Each verb is one request and throws as {@link Ask} does. */
export interface TransportClient extends AroundVerbs, RailVerbs {
  /** A station's departures or arrivals. */
  board(question: TransportQuestion): Promise<TransportBoard>;
}

/** What the client stands on. */
export interface TransportClientDependencies extends AskDependencies {
  /** Told when rows of an answer could not be used. */
  readonly log: Log;
}

/** Makes a client for one account. */
export function createTransportClient(dependencies: TransportClientDependencies): TransportClient {
  const { dialect, clock, log } = dependencies;
  const ask = createAsk(dependencies);

  return {
    ...createAroundVerbs({ ask, dialect, clock }),
    ...createRailVerbs({ ask, dialect, clock, log }),
    async board(question) {
      const now = Temporal.Instant.fromEpochMilliseconds(clock.now());
      const request = formatBoardRequest(question, dialect, now);
      const body = await ask("board", request, boardSchema);
      const { board, skippedRows } = readBoard(body, { question, source: request.source, now });
      if (skippedRows > 0) {
        log.warn({ service: TRANSPORT, crs: question.crs, skippedRows }, "rows of a board could not be used");
      }
      return board;
    },
  };
}
