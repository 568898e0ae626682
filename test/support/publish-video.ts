// Files that begin like videos, and a server that serves them as Discord's CDN does: whole, or from a byte on.
import { createServer, type ServerResponse } from "node:http";
import { close, listen } from "../../sandbox/http/listen.ts";
import { videoBytes } from "./video-stand-in.ts";

const FTYP = Buffer.concat([
  Buffer.from([0, 0, 0, 24]),
  Buffer.from("ftypisom\0\0\u0002\0isommp42", "latin1"),
]);

/** Returns bytes that begin like an MP4 file; always the same for the same size. */
export function sampleVideo(sizeBytes: number): Buffer {
  const bytes = videoBytes(sizeBytes);
  FTYP.copy(bytes);
  return bytes;
}

/** A file server whose answers can be made to fail. */
export interface FileServer {
  /** For `DISCORD_CDN_HOSTS`. */
  readonly host: string;
  /** Adds a file and returns its link. `endsAtMs` is the link's expiry (`ex`); without it, the link has none. */
  readonly put: (name: string, bytes: Uint8Array, endsAtMs?: number) => string;
  /** The first byte of each request, in order. */
  readonly asked: readonly number[];
  /** The status of all answers from now on; `undefined` to serve the files. */
  status: number | undefined;
  /** The number of bytes after which each connection breaks; `undefined` for no limit. */
  breakAfterBytes: number | undefined;
  /** The number of bytes after which each answer waits; `undefined` for no limit. */
  holdAfterBytes: number | undefined;
  /** Continues the waiting answers. */
  readonly letGo: () => void;
  readonly close: () => Promise<void>;
}

export async function startFileServer(): Promise<FileServer> {
  const files = new Map<string, Uint8Array>();
  const asked: number[] = [];
  const held = new Set<() => void>();
  const server = createServer((request, response) => {
    const bytes = files.get(new URL(request.url ?? "/", "http://x").pathname);
    const status = fileServer.status ?? (bytes === undefined ? 404 : 200);
    if (status !== 200 || bytes === undefined) {
      response.writeHead(status).end();
      return;
    }
    const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? "") ?? [];
    const first = Number(from ?? 0);
    const part = bytes.subarray(first, to ? Number(to) + 1 : undefined);
    asked.push(first);
    response.writeHead(from === undefined ? 200 : 206, {
      "content-type": "video/mp4",
      "content-length": part.byteLength,
      ...(from !== undefined && {
        "content-range": `bytes ${first}-${first + part.byteLength - 1}/${bytes.byteLength}`,
      }),
    });
    // Requests for only the beginning of a file are neither cut nor held.
    send(response, part, to ? {} : fileServer);
  });

  function send(
    response: ServerResponse,
    part: Uint8Array,
    { breakAfterBytes, holdAfterBytes }: Partial<Pick<FileServer, "breakAfterBytes" | "holdAfterBytes">>,
  ): void {
    if (breakAfterBytes !== undefined && breakAfterBytes < part.byteLength) {
      response.write(part.subarray(0, breakAfterBytes), () => response.destroy());
    } else if (holdAfterBytes !== undefined && holdAfterBytes < part.byteLength) {
      response.write(part.subarray(0, holdAfterBytes));
      held.add(() => response.end(part.subarray(holdAfterBytes)));
    } else {
      response.end(part);
    }
  }

  const { host } = new URL(await listen(server, 0));
  const fileServer: FileServer = {
    host,
    put(name, bytes, endsAtMs) {
      const path = `/attachments/${files.size}/${name}`;
      files.set(path, bytes);
      const ex = endsAtMs === undefined ? "" : `?ex=${Math.floor(endsAtMs / 1000).toString(16)}&is=1&hm=2`;
      return `http://${host}${path}${ex}`;
    },
    asked,
    status: undefined,
    breakAfterBytes: undefined,
    holdAfterBytes: undefined,
    letGo() {
      for (const go of held) {
        go();
      }
      held.clear();
    },
    close: () => close(server),
  };
  return fileServer;
}
