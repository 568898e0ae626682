// A real HTTP server on this machine, whose answers a test defines.
import { type IncomingMessage, type RequestListener, createServer } from "node:http";
import { buffer } from "node:stream/consumers";
import { close, listen } from "../../sandbox/http/listen.ts";

/** A request that the server received. */
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
  /** The complete requests, in order. */
  readonly seen: readonly SeenRequest[];
  /** The number of connections so far. */
  readonly connections: () => number;
}

/** Starts a server; `answer` is called when a request is complete. */
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
