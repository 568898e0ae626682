// Lets a server apply a request and keeps its answer from the client.
import { ServerResponse, type IncomingMessage } from "node:http";
import { PassThrough } from "node:stream";
import type { Socket } from "node:net";
import type { FaultAnswer, Listener } from "./faults.ts";

/** Belong to a connection, not to an answer. */
const CONNECTION_HEADERS: ReadonlySet<string> = new Set([
  "connection",
  "keep-alive",
  "transfer-encoding",
  "content-length",
  "date",
]);

/** The listener answers into nothing; `then` is given what it said. */
export function listenUnheard(
  listener: Listener,
  request: IncomingMessage,
  then: (said: FaultAnswer) => void,
): void {
  const unheard = new ServerResponse(request);
  const sink = new PassThrough();
  const parts: Buffer[] = [];
  sink.on("data", (part: Buffer) => parts.push(part));
  // A response writes to its socket as to any stream; nothing else of a socket is used before `finish`.
  unheard.assignSocket(sink as unknown as Socket);
  unheard.once("finish", () => setImmediate(() => then(parseAnswer(Buffer.concat(parts)))));
  listener(request, unheard);
}

function parseAnswer(raw: Buffer): FaultAnswer {
  const end = raw.indexOf("\r\n\r\n");
  const [statusLine = "", ...lines] = raw.subarray(0, end).toString("latin1").split("\r\n");
  const headers: Record<string, string> = {};
  let isChunked = false;
  for (const line of lines) {
    const colon = line.indexOf(":");
    const name = line.slice(0, colon).toLowerCase();
    isChunked ||= name === "transfer-encoding";
    if (!CONNECTION_HEADERS.has(name)) {
      headers[name] = line.slice(colon + 1).trim();
    }
  }
  const body = raw.subarray(end + 4);
  return { status: Number(statusLine.split(" ")[1]), headers, body: isChunked ? joinChunks(body) : body };
}

/** Each chunk comes with its length in hexadecimal in a line before it; the last has none. */
function joinChunks(body: Buffer): Buffer {
  const chunks: Buffer[] = [];
  let from = 0;
  for (;;) {
    const lineEnd = body.indexOf("\r\n", from);
    const length = Number.parseInt(body.subarray(from, lineEnd).toString("latin1"), 16);
    if (lineEnd === -1 || !(length > 0)) {
      return Buffer.concat(chunks);
    }
    chunks.push(body.subarray(lineEnd + 2, lineEnd + 2 + length));
    from = lineEnd + 2 + length + 2;
  }
}
