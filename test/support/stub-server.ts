// A real HTTP server on this machine that answers what a test tells it to.
import { type IncomingMessage, type RequestListener, createServer } from "node:http";
import { buffer } from "node:stream/consumers";
import { close, listen } from "../../sandbox/http/listen.ts";

/** A request as the server saw it. */
export interface SeenRequest {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly bytes: Buffer;
}

/** A running server; `await using` closes it with every connection. */
export interface StubServer extends AsyncDisposable {
  readonly url: URL;
  /** Requests whose body arrived whole, in order. */
  readonly seen: readonly SeenRequest[];
  /** How often anyone has connected. */
  readonly connections: () => number;
}

/** Starts a server; `answer` is called once the whole request is there. */
export async function startStub(answer: RequestListener): Promise<StubServer> {
  const seen: SeenRequest[] = [];
  let connections = 0;
  const server = createServer((request, response) => {
    buffer(request).then(
      (bytes) => {
        seen.push({ method: request.method ?? "", path: request.url ?? "", headers: request.headers, bytes });
        return answer(request, response);
      },
      () => response.destroy(),
    );
  });
  server.on("connection", () => (connections += 1));
  const url = new URL(await listen(server, 0));
  return {
    url,
    seen,
    connections: () => connections,
    [Symbol.asyncDispose]: () => close(server),
  };
}
