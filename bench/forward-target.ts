// A process that receives large files: the sandbox's video service for the bot, and two addresses for the rival, which
// supports neither forms nor pieces. The two addresses do the same work for each byte as the service, so that only the
// forwarding is compared: each byte is searched for the form's end and hashed, and those of pieces twice, for the piece
// and for the file. The service hashes for the file after it has answered; the rival waits for no answer.
import { createHash } from "node:crypto";
import { createServer } from "node:http";
import { readMultipart } from "../sandbox/video/read-multipart.ts";
import { startVideoStandIn } from "../sandbox/video/server.ts";
import { systemClock } from "../src/core/clock.ts";

/** Its message to the parent once it listens. */
export interface ForwardTarget {
  /** The address of the video service. */
  readonly baseUrl: string;
  readonly token: string;
  /** Addresses that receive a file by PUT, with the service's work for one form, or for pieces. */
  readonly plainUrls: Readonly<Record<"one form" | "pieces", string>>;
}

/** Its answer to any message: the file that came last. */
export interface TakenFile {
  readonly sizeBytes: number;
  readonly sha256: string;
}

const BOUNDARY = "the-file-is-sent-as-it-is";
const HEAD = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="source"; filename="video.mp4"\r\n\r\n`;
const TAIL = `\r\n--${BOUNDARY}--\r\n`;
/** The size of the pieces that the service asks for. */
const PIECE_BYTES = 4 * 1_024 * 1_024;

const standIn = await startVideoStandIn({ clock: systemClock });
let taken: TakenFile | undefined;
let known = 0;

const plain = createServer((request, response) => {
  const work = request.url === "/pieces" ? takePieces(request) : takeWhole(request);
  work.then(
    (file) => {
      taken = file;
      return response.end();
    },
    () => response.destroy(),
  );
});
plain.listen(0, "127.0.0.1", () => {
  const address = plain.address();
  const port = typeof address === "object" ? address?.port : undefined;
  const { baseUrl, tokens } = standIn;
  const plainUrls = { "one form": `http://127.0.0.1:${port}/`, pieces: `http://127.0.0.1:${port}/pieces` };
  process.send?.({ baseUrl, token: tokens.page, plainUrls } satisfies ForwardTarget);
});

process.on("message", () => {
  const videos = standIn.videos();
  if (videos.length > known) {
    known = videos.length;
    taken = videos.at(-1)?.file;
  }
  const { sizeBytes = 0, sha256 = "" } = taken ?? {};
  process.send?.({ sizeBytes, sha256 } satisfies TakenFile);
});
process.once("disconnect", () => process.exit());

async function takeWhole(body: AsyncIterable<Uint8Array>) {
  const { files } = await readMultipart(asForm(body), BOUNDARY);
  return files["source"];
}

async function takePieces(body: AsyncIterable<Uint8Array>): Promise<TakenFile> {
  const hash = createHash("sha256");
  const chunks = body[Symbol.asyncIterator]();
  let rest: Uint8Array | undefined = new Uint8Array();
  let sizeBytes = 0;
  while (rest !== undefined) {
    const file = await takeWhole(nextPiece());
    for (const bytes of file?.chunks ?? []) {
      hash.update(bytes);
    }
    sizeBytes += file?.sizeBytes ?? 0;
  }
  return { sizeBytes, sha256: hash.digest("hex") };

  async function* nextPiece(): AsyncGenerator<Uint8Array> {
    let left = PIECE_BYTES;
    while (rest !== undefined && left > 0) {
      const bytes = rest.subarray(0, left);
      left -= bytes.byteLength;
      rest = rest.subarray(bytes.byteLength);
      yield bytes;
      if (rest.byteLength === 0) {
        const next = await chunks.next();
        rest = next.done === true ? undefined : next.value;
      }
    }
  }
}

async function* asForm(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield Buffer.from(HEAD);
  yield* body;
  yield Buffer.from(TAIL);
}
