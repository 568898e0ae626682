// The transport data service. Both dialects are spoken when asking; answers of either are always understood.
import { Temporal } from "temporal-polyfill";
import type { Clock } from "../../core/clock.ts";
import type { Http } from "../../core/http.ts";
import { parseJsonAnswer } from "../../core/json.ts";
import type { Log } from "../../core/log.ts";
import { type BoardRequest, formatBoardRequest, type TransportDialect } from "./board-request.ts";
import { boardSchema } from "./board-schema.ts";
import { readBoard } from "./read-board.ts";
import { refusalWithin, throwForStatus, TRANSPORT } from "./refusal.ts";
import type { TransportBoard, TransportQuestion } from "./transport-board.ts";

/** What the bot asks of the transport service. */
export interface TransportClient {
  /**
   * A station's departures or arrivals. One request. Throws ServiceError: what `Http` throws, and unauthorised,
   * not-permitted, budget-spent, rate-limited, not-found, rejected, unavailable, unexpected-answer.
   */
  board(question: TransportQuestion): Promise<TransportBoard>;
}

/** What the client stands on. */
export interface TransportClientDependencies {
  readonly http: Http;
  /** Without `/v3/uk`, e.g. `https://transportapi.com`; a path is kept. */
  readonly baseUrl: URL;
  readonly appId: string;
  readonly appKey: string;
  readonly dialect: TransportDialect;
  readonly clock: Clock;
  /** Told when rows of an answer could not be used. */
  readonly log: Log;
}

/** Boards are wanted within a few seconds or not at all. */
const TIMEOUT_MS = 10_000;
/** A thousand rows of some 600 bytes, with room to spare. */
const MAX_BYTES = 4 * 1024 * 1024;

/** Makes a client for one account. */
export function createTransportClient(dependencies: TransportClientDependencies): TransportClient {
  const { http, baseUrl, appId, appKey, dialect, clock, log } = dependencies;

  /** The specification wants credentials in the query; the public service takes headers, which logs keep less. */
  const address = (request: BoardRequest) => {
    const url = new URL(baseUrl.pathname.replace(/\/$/, "") + request.path, baseUrl);
    const credentials = dialect === "public" ? {} : { app_id: appId, app_key: appKey };
    url.search = new URLSearchParams({ ...request.query, ...credentials }).toString();
    return { url, headers: dialect === "public" ? { "x-app-id": appId, "x-app-key": appKey } : {} };
  };

  return {
    async board(question) {
      const now = Temporal.Instant.fromEpochMilliseconds(clock.now());
      const request = formatBoardRequest(question, dialect, now);
      const { url, headers } = address(request);
      const answer = await http.request({
        service: TRANSPORT,
        verb: "board",
        method: "GET",
        url,
        headers: { accept: "application/json", ...headers },
        timeoutMs: TIMEOUT_MS,
        maxBytes: MAX_BYTES,
      });
      throwForStatus(answer, clock.now());
      const body = parseJsonAnswer(TRANSPORT, answer, boardSchema);
      if (body.error !== undefined && body.error !== null) {
        throw refusalWithin(body.error, answer.status);
      }
      const { board, skippedRows } = readBoard(body, { question, source: request.source, now });
      if (skippedRows > 0) {
        log.warn({ service: TRANSPORT, crs: question.crs, skippedRows }, "rows of a board could not be used");
      }
      return board;
    },
  };
}
