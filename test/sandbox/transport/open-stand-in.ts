// A transport stand-in for tests, with a clock that the test advances.
import { createSandboxClock } from "../../../sandbox/clock/clock.ts";
import type { SandboxClock } from "../../../sandbox/clock/clock.ts";
import { startTransportStandIn } from "../../../sandbox/transport/server.ts";
import type { TransportStandIn, TransportStandInOptions } from "../../../sandbox/transport/server.ts";

/** A row of any answer, with any fields. */
export type Row = Readonly<Record<string, unknown>>;

/** The parts of an answer that tests check. */
interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly departures: readonly Row[];
  readonly arrivals: readonly Row[];
}

export interface OpenStandIn extends AsyncDisposable {
  readonly standIn: TransportStandIn;
  readonly clock: SandboxClock;
  readonly unknown: readonly string[];
  /** Requests a path below `/v3/uk` with valid credentials in the query. */
  ask(path: string, init?: RequestInit): Promise<Answer>;
  /** Requests a path unchanged. */
  askRaw(path: string, init?: RequestInit): Promise<Answer>;
}

/** Opens a stand-in at a given time, by default 17:20:40 on a Wednesday in November. */
export async function openStandIn(
  options: Partial<TransportStandInOptions> & { readonly at?: string } = {},
): Promise<OpenStandIn> {
  const clock = createSandboxClock({ atMs: Date.parse(options.at ?? "2026-11-18T17:20:40Z"), mode: "still" });
  const unknown: string[] = [];
  const standIn = await startTransportStandIn({
    clock,
    seed: 1,
    onUnknown: (sentence) => unknown.push(sentence),
    ...options,
  });
  async function askRaw(path: string, init?: RequestInit): Promise<Answer> {
    const answer = await fetch(standIn.baseUrl + path, init);
    return readAnswer(answer.status, answer.headers, await answer.text());
  }
  return {
    standIn,
    clock,
    unknown,
    askRaw,
    ask: (path, init) =>
      askRaw(
        `/v3/uk${path}${path.includes("?") ? "&" : "?"}app_id=${standIn.appId}&app_key=${standIn.appKey}`,
        init,
      ),
    async [Symbol.asyncDispose]() {
      await standIn.close();
      clock.stop();
    },
  };
}

/** Parses an answer; a body that is not a JSON object counts as an empty one. */
function readAnswer(status: number, headers: Headers, text: string): Answer {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    body = {};
  }
  const fields = isRow(body) ? body : {};
  return {
    status,
    headers,
    text,
    body: fields,
    departures: rowsOf(fields["departures"]),
    arrivals: rowsOf(fields["arrivals"]),
  };
}

function rowsOf(list: unknown): readonly Row[] {
  const all = isRow(list) ? list["all"] : undefined;
  return Array.isArray(all) ? all.filter(isRow) : [];
}

function isRow(value: unknown): value is Row {
  return typeof value === "object" && value !== null;
}
