// A process that serves a large file as Discord's CDN would, with its length. It never holds the whole file, only one
// piece that it repeats.
import { createServer } from "node:http";
import { Readable } from "node:stream";

/** Its message to the parent once it listens. */
export interface ForwardSource {
  /** Add `?bytes=` with the size of the file. */
  readonly url: string;
}

const PIECE_BYTES = 256 * 1_024;
/** No two of its kilobytes are alike, so lost or repeated data changes the hash. */
const PIECE = Uint8Array.from({ length: PIECE_BYTES }, (_, at) => (at * 31 + (at >> 8) * 17) % 251);

const server = createServer(({ url = "" }, response) => {
  const sizeBytes = Number(new URLSearchParams(url.split("?")[1]).get("bytes"));
  response.writeHead(200, { "content-type": "video/mp4", "content-length": sizeBytes });
  Readable.from(pieces(sizeBytes), { objectMode: false, highWaterMark: PIECE_BYTES }).pipe(response);
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  process.send?.({ url: `http://127.0.0.1:${port}/video.mp4` } satisfies ForwardSource);
});
process.once("disconnect", () => process.exit());

function* pieces(sizeBytes: number): Generator<Uint8Array> {
  for (let at = 0; at < sizeBytes; at += PIECE_BYTES) {
    yield PIECE.subarray(0, sizeBytes - at);
  }
}
