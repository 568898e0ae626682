import { createReadStream } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { describe, expect, onTestFinished, test } from "vitest";
import { UserError } from "../../src/core/errors.ts";
import { createHttp, type HttpBody } from "../../src/core/http.ts";
import { createLog } from "../../src/core/log.ts";
import { type FormPart, createMultipart, joinMultipart } from "../../src/core/multipart.ts";
import { createStillClock } from "../support/still-clock.ts";
import { type SeenRequest, startStub } from "../support/stub-server.ts";

function openHttp() {
  const clock = createStillClock();
  const http = createHttp({ clock, log: createLog({ level: "silent", secrets: [] }), random: () => 1 });
  onTestFinished(() => http.close());
  const post = (url: URL, body: HttpBody) =>
    http.request({
      service: "video",
      verb: "upload",
      method: "POST",
      url,
      body,
      timeoutMs: 5_000,
      maxBytes: 1_000,
    });
  return { clock, post };
}

function readForm({ headers, bytes }: SeenRequest): Promise<FormData> {
  return new Response(new Uint8Array(bytes), {
    headers: { "content-type": headers["content-type"] ?? "" },
  }).formData();
}

async function readFile(form: FormData, name: string) {
  const file = form.get(name);
  if (!(file instanceof File)) {
    throw new Error(`the form's field ${name} is not a file`);
  }
  return { name: file.name, type: file.type, bytes: Buffer.from(await file.arrayBuffer()) };
}

describe("createMultipart", () => {
  test("sends fields, bytes and streams that arrive whole at an HTTP server", async () => {
    const folder = await mkdtemp(join(tmpdir(), "signalbox-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    const video = Buffer.alloc(3_000_000, "signalbox ");
    await writeFile(join(folder, "video"), video);
    await using stub = await startStub((_request, response) => response.end());
    const { post } = openHttp();

    const body = createMultipart([
      { name: "title", text: 'Ein "Zug" – 🚂\r\n' },
      {
        name: "thumb",
        fileName: "a.png",
        contentType: "image/png",
        content: new Uint8Array([0, 1, 255]).subarray(1),
      },
      {
        name: "source",
        fileName: "video.mp4",
        contentType: "video/mp4",
        content: { sizeBytes: video.byteLength, open: () => createReadStream(join(folder, "video")) },
      },
      { name: "after", text: "" },
    ]);
    await expect(post(stub.url, body)).resolves.toMatchObject({ status: 200 });

    const [seen] = stub.seen;
    if (!seen) {
      throw new Error("the server got no request");
    }
    expect(seen.headers["transfer-encoding"]).toBeUndefined();
    expect(Number(seen.headers["content-length"])).toBe(seen.bytes.byteLength);
    const form = await readForm(seen);
    expect([...form.keys()]).toEqual(["title", "thumb", "source", "after"]);
    expect(form.get("title")).toBe('Ein "Zug" – 🚂\r\n');
    expect(form.get("after")).toBe("");
    expect(await readFile(form, "thumb")).toEqual({
      name: "a.png",
      type: "image/png",
      bytes: Buffer.from([1, 255]),
    });
    const source = await readFile(form, "source");
    expect(source).toMatchObject({ name: "video.mp4", type: "video/mp4" });
    expect(source.bytes.equals(video)).toBe(true);
  });

  test("opens a fresh form for each attempt", async () => {
    await using stub = await startStub((_request, response) => response.end());
    const { post } = openHttp();
    const body = createMultipart([streamPart(() => Readable.from([Buffer.from("bytes")]), 5)]);
    await post(stub.url, body);
    await post(stub.url, body);
    const forms = await Promise.all(stub.seen.map(readForm));
    for (const form of forms) {
      expect((await readFile(form, "source")).bytes.toString()).toBe("bytes");
    }
    expect(forms).toHaveLength(2);
  });

  test("sends an empty file, from memory or from a stream", async () => {
    await using stub = await startStub((_request, response) => response.end());
    const { post } = openHttp();
    const held: FormPart = {
      name: "held",
      fileName: "a",
      contentType: "text/plain",
      content: new Uint8Array(),
    };
    await post(stub.url, createMultipart([held, streamPart(() => Readable.from([]), 0)]));
    const [form] = await Promise.all(stub.seen.map(readForm));
    expect(form && [...form.keys()]).toEqual(["held", "source"]);
  });

  test("does not let a file name break out of its header", async () => {
    await using stub = await startStub((_request, response) => response.end());
    const { post } = openHttp();
    const fileName = 'a"; name="token\r\nX-Injected: 1\r\n\r\n';
    const part: FormPart = { name: "file", fileName, contentType: "text/plain", content: Buffer.from("x") };
    await post(stub.url, createMultipart([part]));
    const [form] = await Promise.all(stub.seen.map(readForm));
    expect(form && [...form.keys()]).toEqual(["file"]);
    expect(String(stub.seen[0]?.bytes)).not.toContain("\r\nX-Injected");
  });

  test.each([4, 6])("fails if a stream of 5 bytes was announced with %d", async (sizeBytes) => {
    await using stub = await startStub((_request, response) => response.end());
    const { post } = openHttp();
    const part = streamPart(() => Readable.from([Buffer.from("bytes")]), sizeBytes);
    await expect(post(stub.url, createMultipart([part]))).rejects.toThrow("content-length");
    expect(stub.seen).toEqual([]);
  });

  test("fails with the error of its stream", async () => {
    await using stub = await startStub((_request, response) => response.end());
    const { post } = openHttp();
    const mine = new UserError("That file is gone. Send it again.");
    const source = new Readable({ read() {} });
    const asked = post(stub.url, createMultipart([streamPart(() => source, 5)]));
    source.destroy(mine);
    await expect(asked).rejects.toBe(mine);
  });

  test("fails if a stream closes before its end", async () => {
    await using stub = await startStub((_request, response) => response.end());
    const { post } = openHttp();
    const source = new Readable({ read() {} });
    source.push("by");
    const asked = post(stub.url, createMultipart([streamPart(() => source, 5)]));
    source.destroy();
    await expect(asked).rejects.toThrow("ERR_STREAM_PREMATURE_CLOSE");
    expect(stub.seen).toEqual([]);
  });

  test("closes its streams if the request ends before they are read", async () => {
    await using stub = await startStub((_request, response) => response.end());
    const { clock, post } = openHttp();
    const sources: Readable[] = [];
    const open = () => {
      const source = new Readable({ read() {} });
      sources.push(source);
      return source;
    };
    const asked = post(stub.url, createMultipart([streamPart(open, 5), streamPart(open, 5)]));
    await expect.poll(() => stub.connections()).toBe(1);
    clock.advance(5_000);
    await expect(asked).rejects.toMatchObject({ kind: "outcome-unknown" });
    await expect.poll(() => sources.map(({ destroyed }) => destroyed)).toEqual([true, true]);
  });

  test("buffers only a little of a large stream", async () => {
    let produced = 0;
    const source = new Readable({
      read() {
        produced += 64_000;
        this.push(Buffer.alloc(64_000));
      },
    });
    const { content } = createMultipart([streamPart(() => source, 64_000_000)])();
    if (content instanceof Uint8Array) {
      throw new TypeError("the form's content is not a stream");
    }
    await new Promise((resolve) => content.once("readable", resolve));
    content.read(1);
    await new Promise((resolve) => setImmediate(resolve));
    expect(produced).toBeLessThan(1_000_000);
    content.destroy();
    await expect(buffer(content)).rejects.toThrow("Premature close");
  });
});

function streamPart(open: () => Readable, sizeBytes: number): FormPart {
  return { name: "source", fileName: "video.mp4", contentType: "video/mp4", content: { sizeBytes, open } };
}

test("joinMultipart returns the same form in one piece", async () => {
  const file = { name: "files[0]", fileName: "a.png", contentType: "image/png", content: Buffer.from("abc") };
  const { headers, bytes } = joinMultipart([file, { name: "payload_json", text: '{"content":"🚂"}' }]);
  expect(headers["content-length"]).toBe(String(bytes.byteLength));
  const form = await new Response(new Uint8Array(bytes), { headers }).formData();
  expect(await readFile(form, "files[0]")).toEqual({
    name: "a.png",
    type: "image/png",
    bytes: Buffer.from("abc"),
  });
  expect(form.get("payload_json")).toBe('{"content":"🚂"}');
});
