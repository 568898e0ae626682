// Responses with a file's bytes, either all or a range, for players and resumed downloads.

/** `range` is the request's header, ignored if its form is unknown. A range outside the file gives a 416. */
export function answerBytes(
  bytes: Uint8Array,
  range: string | undefined,
  headers: Readonly<Record<string, string>>,
): Response {
  const all = { ...headers, "accept-ranges": "bytes", "x-content-type-options": "nosniff" };
  const wanted = range === undefined ? undefined : parseRange(range, bytes.length);
  if (wanted === "unsatisfiable") {
    return new Response(null, {
      status: 416,
      headers: { ...all, "content-range": `bytes */${bytes.length}` },
    });
  }
  const { start, end } = wanted ?? { start: 0, end: bytes.length - 1 };
  // A view of the stored bytes: nothing is copied, and nothing writes to it.
  const body = new Uint8Array(bytes.buffer as ArrayBuffer, bytes.byteOffset + start, end - start + 1);
  return new Response(body, {
    status: wanted === undefined ? 200 : 206,
    headers: {
      ...all,
      "content-length": String(body.length),
      ...(wanted === undefined ? {} : { "content-range": `bytes ${start}-${end}/${bytes.length}` }),
    },
  });
}

/** Parses one range of bytes, with both ends included. `undefined` if the header has another form and is ignored. */
function parseRange(
  header: string,
  sizeBytes: number,
): { readonly start: number; readonly end: number } | "unsatisfiable" | undefined {
  const [, from = "", to = ""] = /^bytes=(\d*)-(\d*)$/.exec(header) ?? [];
  if (from === "" && to === "") {
    return undefined;
  }
  const start = from === "" ? Math.max(0, sizeBytes - Number(to)) : Number(from);
  const end = from === "" || to === "" ? sizeBytes - 1 : Math.min(Number(to), sizeBytes - 1);
  return start > end ? "unsatisfiable" : { start, end };
}
