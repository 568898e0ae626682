// The progress of uploads in a single form while they arrive, measured at their connections.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Clock } from "../clock/clock.ts";

export interface SimpleUpload {
  readonly id: string;
  readonly startedAtMs: number;
  /** The bytes of the form that have arrived; the form is only a little larger than its file. */
  readonly receivedBytes: number;
  /** The form's size; `undefined` without a Content-Length. */
  readonly sizeBytes: number | undefined;
}

interface Measured {
  readonly sizeBytes: number | undefined;
  readonly receivedBytes: () => number;
}

export function createSimpleUploads(clock: Clock) {
  const open = new Map<ServerResponse, Measured & Pick<SimpleUpload, "id" | "startedAtMs">>();
  /** How many bytes a connection had received when its last request was answered. */
  const readBefore = new WeakMap<Socket, number>();
  let count = 0;
  return {
    /** Returns a counter of a body's arrived bytes. Call this for every request before reading its body. */
    measure(request: IncomingMessage, response: ServerResponse): Measured {
      const { socket } = request;
      const length = request.headers["content-length"];
      const sizeBytes = length === undefined ? undefined : Number(length);
      // The beginning of the body may have arrived together with the head.
      const fromBytes = (readBefore.get(socket) ?? 0) + headBytesOf(request);
      response.once("close", () => readBefore.set(socket, socket.bytesRead));
      const receivedBytes = () => Math.max(0, Math.min(socket.bytesRead - fromBytes, sizeBytes ?? Infinity));
      return { sizeBytes, receivedBytes };
    },
    /** Lists the request as an upload until it is answered. */
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

function headBytesOf({ method = "", url = "", rawHeaders }: IncomingMessage): number {
  const lineBytes = Buffer.byteLength(`${method} ${url} HTTP/1.1\r\n\r\n`);
  // Names and values alternate; two more bytes follow each.
  return rawHeaders.reduce((sum, part) => sum + Buffer.byteLength(part) + 2, lineBytes);
}
