// Uploads in one form while they come in: how far they are can be seen only at their connection.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Clock } from "../clock/clock.ts";

export interface SimpleUpload {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly startedAtMs: number;
  /** Of the whole form, which is little more than its file. */
  readonly receivedBytes: number;
  /** `undefined` where the form does not say. */
  readonly sizeBytes: number | undefined;
}

interface Measured {
  readonly sizeBytes: number | undefined;
  readonly receivedBytes: () => number;
}

export function createSimpleUploads(clock: Clock) {
  const open = new Map<ServerResponse, Measured & Pick<SimpleUpload, "id" | "startedAtMs">>();
  /** What a connection had brought when its last request was answered. */
  const readBefore = new WeakMap<Socket, number>();
  let count = 0;
  return {
    /** Gives what tells how much of a request's body has arrived. To be called of every request, before it is read. */
    measure(request: IncomingMessage, response: ServerResponse): Measured {
      const { socket } = request;
      const length = request.headers["content-length"];
      const sizeBytes = length === undefined ? undefined : Number(length);
      // A body's beginning may have come along with the head.
      const fromBytes = (readBefore.get(socket) ?? 0) + headBytesOf(request);
      response.once("close", () => readBefore.set(socket, socket.bytesRead));
      const receivedBytes = () => Math.max(0, Math.min(socket.bytesRead - fromBytes, sizeBytes ?? Infinity));
      return { sizeBytes, receivedBytes };
    },
    /** The request is an upload, until it is answered. */
    begin(measured: Measured, response: ServerResponse) {
      count += 1;
      open.set(response, { ...measured, id: `simple-${count}`, startedAtMs: clock.now() });
      response.once("close", () => open.delete(response));
    },
    list: (): readonly SimpleUpload[] =>
      [...open.values()].map(({ receivedBytes, ...upload }) => ({
        ...upload,
        receivedBytes: receivedBytes(),
      })),
  };
}

/** The request's line, a line for each header, an empty one. */
function headBytesOf({ method = "", url = "", rawHeaders }: IncomingMessage): number {
  const lineBytes = Buffer.byteLength(`${method} ${url} HTTP/1.1\r\n\r\n`);
  // Names and values in turn: each is followed by two more characters.
  return rawHeaders.reduce((sum, part) => sum + Buffer.byteLength(part) + 2, lineBytes);
}
