// Live boards: asks the transport service, filters, and looks further ahead where nothing is left.
import { Temporal } from "temporal-polyfill";
import type { TransportClient } from "../../clients/transport/client.ts";
import type { TransportBoard, TransportRow } from "../../clients/transport/transport-board.ts";
import type { Clock } from "../../core/clock.ts";
import { ServiceError, type ServiceErrorKind, UserError } from "../../core/errors.ts";
import { startOfMinute } from "../../core/uk-time.ts";
import { createBoardRow, isGone } from "./board-row.ts";
import type { BoardQuestion, BoardRow, Departures } from "./departures.ts";
import { laterFrom } from "./later-from.ts";
import { mergeRows } from "./merge-rows.ts";
import { createOperatorFilter, type OperatorFilter } from "./operator-filter.ts";

/** Makes the service. Most boards cost one request; two where an answer was cut short or held nothing that fits. */
export function createDepartures({
  transport,
  clock,
}: {
  transport: TransportClient;
  clock: Clock;
}): Departures {
  return {
    async board(question) {
      refuseRoundTrip(question);
      const now = Temporal.Instant.fromEpochMilliseconds(clock.now());
      const from = laterOf(question.from, now);
      const start = from ?? startOfMinute(now);
      const end = start.add({ minutes: WINDOW_MINUTES });
      const asked = {
        crs: question.station.crs,
        kind: question.kind,
        via: question.via?.crs,
        limit: isFiltered(question) ? FILTERED_LIMIT : LIMIT,
      };

      const live = await transport.board({ ...asked, from, windowMinutes: WINDOW_MINUTES, live: true });
      const page = { question, from, now, isOperator: operatorFilter(question.operator, live.rows) };
      let fitting = fittingRows(mergeRows(live.rows), page);
      let coversUntil = live.coversUntil;
      if (fitting.length < question.rows && isBefore(coversUntil, end)) {
        const restFrom = isBefore(coversUntil, start) ? start : coversUntil;
        const further = await askFurther(transport, {
          ...asked,
          from: restFrom,
          windowMinutes: Math.ceil(end.since(restFrom).total("minutes")),
          live: false,
        });
        fitting = fittingRows(mergeRows(live.rows, further?.rows), page);
        coversUntil = further?.coversUntil ?? coversUntil;
      }

      const board = { question, dataAt: live.dataAt };
      if (fitting.length > 0) {
        const isCut = isBefore(coversUntil, end);
        const rows = fitting.slice(0, question.rows);
        return {
          ...board,
          rows,
          laterFrom: laterFrom(fitting, rows, isCut ? coversUntil : undefined),
          next: undefined,
        };
      }
      const further = await askFurther(transport, {
        ...asked,
        from: end,
        windowMinutes: NEXT_WINDOW_MINUTES,
        live: true,
      });
      const next = fittingRows(mergeRows(further?.rows ?? []), page).find(
        ({ state }) => state !== "cancelled",
      );
      return { ...board, rows: [], laterFrom: undefined, next };
    },
  };
}

/** What the public service's live boards look ahead by themselves. */
const WINDOW_MINUTES = 120;
/** With the window above, a whole day. */
const NEXT_WINDOW_MINUTES = 22 * 60;

/** Two hours of a large station. */
const LIMIT = 200;
/** Filters are ours, so plenty is asked for: of three rows a platform leaves nothing. */
const FILTERED_LIMIT = 500;

interface Page {
  readonly question: BoardQuestion;
  readonly from: Temporal.Instant | undefined;
  readonly now: Temporal.Instant;
  readonly isOperator: OperatorFilter;
}

function operatorFilter(operator: string | undefined, rows: readonly TransportRow[]): OperatorFilter {
  return operator === undefined ? () => true : createOperatorFilter(operator, rows);
}

function fittingRows(
  given: readonly TransportRow[],
  { question, from, now, isOperator }: Page,
): readonly BoardRow[] {
  const platform = question.platform?.trim().toLowerCase();
  return given
    .filter((row) => isOperator(row) && (!platform || row.platform?.toLowerCase() === platform))
    .map(createBoardRow)
    .filter((row) => !isGone(row, now) && !(from && isBefore(row.aimedAt, from)));
}

/** A server that follows the specification to the letter has live boards only: it cannot tell, which is no failure. */
const CANNOT_TELL: ReadonlySet<ServiceErrorKind> = new Set(["not-found", "not-permitted", "rejected"]);

async function askFurther(
  transport: TransportClient,
  question: Parameters<TransportClient["board"]>[0],
): Promise<TransportBoard | undefined> {
  try {
    return await transport.board(question);
  } catch (error) {
    if (error instanceof ServiceError && CANNOT_TELL.has(error.kind)) {
      return undefined;
    }
    throw error;
  }
}

function refuseRoundTrip({ station, via }: BoardQuestion): void {
  if (via?.crs === station.crs) {
    throw new UserError(`Both stations are ${station.name}. Pick another one to filter by, or leave it out.`);
  }
}

function isFiltered({ operator, platform }: BoardQuestion): boolean {
  return operator !== undefined || platform !== undefined;
}

function laterOf(from: Temporal.Instant | undefined, now: Temporal.Instant): Temporal.Instant | undefined {
  return from && isBefore(now, from) ? startOfMinute(from) : undefined;
}

function isBefore(one: Temporal.Instant, other: Temporal.Instant): boolean {
  return Temporal.Instant.compare(one, other) < 0;
}
