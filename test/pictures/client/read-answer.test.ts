import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type StyleAnswer, readStyleAnswer } from "../../../src/pictures/client/read-answer.ts";
import { ServiceError } from "../../../src/core/errors.ts";
import { JPEG, PNG } from "../../support/style-stub.ts";
import { cases } from "../../support/cases.ts";

const BASE = new URL("https://art.example.org/api");

function readBytes(bytes: Uint8Array): StyleAnswer {
  return readStyleAnswer({ status: 200, headers: {}, bytes }, { baseUrl: BASE });
}

function read(body: unknown): StyleAnswer {
  return readBytes(Buffer.from(JSON.stringify(body)));
}

/** The result of reading a body, or the kind of its refusal. */
function readOrKind(body: unknown): StyleAnswer | string {
  try {
    return body instanceof Uint8Array ? readBytes(body) : read(body);
  } catch (error) {
    if (error instanceof ServiceError) {
      return error.kind;
    }
    throw error;
  }
}

const LINK = "https://cdn.example.net/results/a1.png?sig=abc";
const FIELDS = [
  "url",
  "image_url",
  "imageUrl",
  "output_url",
  "result_url",
  "resultUrl",
  "result",
  "image",
  "output",
  "sample",
];
const LISTS = ["output", "images", "data", "artifacts", "generated", "outputs"];
const WRAPPERS = ["data", "result", "response", "output", "image"];
const BASE64_FIELDS = ["b64_json", "base64", "image", "result_b64", "imageBase64"];
const BAD_WORDS = [
  "failed",
  "ERROR",
  "canceled",
  "Cancelled",
  "aborted",
  "REJECTED",
  "Request Moderated",
  "content_moderated",
  "CONTENT_FILTERED",
  "Task not found",
];
const STATUS_FIELDS = ["status", "state", "finish_reason", "finishReason"];

/** A value that contains a picture, and the result that is expected for it. */
const picture = fc.constantFrom(
  { value: LINK, found: { kind: "link", url: new URL(LINK) } },
  {
    value: "/outputs/a1.png",
    found: { kind: "link", url: new URL("https://art.example.org/outputs/a1.png") },
  },
  {
    value: "outputs/a1.webp",
    found: { kind: "link", url: new URL("https://art.example.org/api/outputs/a1.webp") },
  },
  { value: PNG.toString("base64"), found: { kind: "picture", bytes: PNG } },
  { value: JPEG.toString("base64"), found: { kind: "picture", bytes: JPEG } },
  { value: PNG.toString("base64url"), found: { kind: "picture", bytes: PNG } },
  { value: JPEG.toString("base64").replace(/.{76}/g, "$&\n"), found: { kind: "picture", bytes: JPEG } },
  { value: `data:image/jpeg;base64,${JPEG.toString("base64")}`, found: { kind: "picture", bytes: JPEG } },
);
type Picture = typeof picture extends fc.Arbitrary<infer T> ? T : never;

/** A body with the picture in one of the places where services put it. */
const placed: fc.Arbitrary<{ readonly body: object; readonly found: Picture["found"] }> = fc
  .record({
    picture,
    field: fc.constantFrom(...FIELDS, ...BASE64_FIELDS),
    list: fc.constantFrom(...LISTS),
    wrapper: fc.constantFrom(...WRAPPERS),
    shape: fc.constantFrom(
      "top",
      "wrapped",
      "list of objects",
      "list of texts",
      "image in a list",
      "wrapped list",
    ),
  })
  .map(({ picture: { value, found }, field, list, wrapper, shape }) => {
    const body = {
      top: { [field]: value },
      wrapped: { [wrapper]: { id: "a1", [field]: value } },
      "list of objects": { [list]: [{ [field]: value }] },
      "list of texts": { [list]: [value] },
      "image in a list": { [list]: [{ image: { url: value, content_type: "image/png" } }] },
      "wrapped list": { [wrapper]: { [list]: [value] } },
    }[shape];
    return { body, found };
  });

const around = fc.record(
  {
    id: fc.oneof(fc.string(), fc.integer()),
    warning: fc.string(),
    message: fc.string(),
    error: fc.constantFrom(null, "", false, {}, { code: 0, message: "" }),
    errors: fc.constant([]),
    error_msg: fc.constant(""),
    code: fc.constantFrom(0, 200, "0", "200", "OK", null),
    error_code: fc.constant(0),
    created: fc.integer(),
    status: fc.constantFrom("success", "succeeded", "Completed", "whatever", 200, 1),
  },
  { requiredKeys: [] },
);

describe("reading an answer", () => {
  test("turns any JSON into a picture, an unfinished answer or a ServiceError", () => {
    const keys = fc.constantFrom(
      ...FIELDS,
      ...LISTS,
      ...WRAPPERS,
      ...STATUS_FIELDS,
      "error",
      "errors",
      "code",
      "urls",
      "id",
      "progress",
      "__proto__",
    );
    const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
      tree: fc.oneof(
        { maxDepth: 5 },
        fc.jsonValue(),
        picture.map(({ value }) => value),
        fc.array(tie("tree"), { maxLength: 4 }),
        fc.dictionary(fc.oneof(keys, fc.string()), tie("tree"), { maxKeys: 6 }),
      ),
    }));
    fc.assert(
      fc.property(tree, (body) => {
        expect(readOrKind(body)).toBeTruthy();
      }),
      { numRuns: cases(500) },
    );
  });

  test("does the same with any bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(readOrKind(bytes)).toBeTruthy();
      }),
    );
  });

  test("does not overflow the stack, however deep an answer is", () => {
    const deep = (open: string, close: string) => `${open.repeat(20_000)}1${close.repeat(20_000)}`;
    for (const text of [deep("[", "]"), deep('{"data":', "}"), deep('{"output":[', "]}")]) {
      expect(() =>
        readStyleAnswer({ status: 200, headers: {}, bytes: Buffer.from(text) }, { baseUrl: BASE }),
      ).not.toThrow(RangeError);
    }
  });

  test("finds a picture in any usual place and shape, whatever is beside it", () => {
    fc.assert(
      fc.property(placed, around, ({ body, found }, beside) => {
        expect(read({ ...beside, ...body })).toEqual(found);
      }),
      { numRuns: cases(500) },
    );
  });

  test("recognises a path although it begins like a JPEG's base64", () => {
    expect(read({ url: "/9j/outputs/a1.png" })).toMatchObject({ kind: "link" });
  });

  test("takes a picture although the status still says processing", () => {
    expect(read({ status: "processing", output: [LINK] })).toEqual({ kind: "link", url: new URL(LINK) });
  });

  test("returns no picture if a status reports a failure", () => {
    const bad = fc.record({ field: fc.constantFrom(...STATUS_FIELDS), word: fc.constantFrom(...BAD_WORDS) });
    fc.assert(
      fc.property(placed, bad, fc.boolean(), ({ body }, { field, word }, isInside) => {
        const marked = isInside ? markInside(body, { [field]: word }) : { ...body, [field]: word };
        expect(readOrKind(marked)).toMatch(/^(?:rejected|unavailable)$/);
      }),
      { numRuns: cases(500) },
    );
  });

  test("lets an error win over a picture beside it", () => {
    for (const error of [
      { error: "boom" },
      { err: "boom" },
      { errors: ["boom"] },
      { code: 4001 },
      { error_code: "5" },
      { success: false },
    ]) {
      expect(readOrKind({ url: LINK, ...error })).toBe("rejected");
    }
  });

  test("takes the entry of a list that was not filtered", () => {
    const [filtered, fine] = [JPEG, PNG].map((bytes) => bytes.toString("base64"));
    const artifacts = [
      { base64: filtered, finishReason: "CONTENT_FILTERED" },
      { base64: fine, finishReason: "SUCCESS" },
    ];
    expect(read({ artifacts })).toEqual({ kind: "picture", bytes: PNG });
  });

  test("does not mistake the repeated original for the result", () => {
    expect(
      read({ image: "https://x.example/in.png", output_url: LINK, input: { image: "/in.png" } }),
    ).toEqual({
      kind: "link",
      url: new URL(LINK),
    });
    expect(readOrKind({ input: { image: LINK }, docs: LINK, thumbnail: LINK })).toMatchObject({
      kind: "unfinished",
    });
  });
});

/** Adds fields beside the picture, to the object that contains it. */
function markInside(value: unknown, fields: object): unknown {
  if (Array.isArray(value)) {
    return value.map((entry: unknown) =>
      typeof entry === "string" ? { url: entry, ...fields } : markInside(entry, fields),
    );
  }
  if (typeof value !== "object" || value === null) {
    return value;
  }
  const inner = Object.entries(value).map(([key, entry]) => [key, markInside(entry, fields)] as const);
  const holdsText = Object.values(value).some((entry) => typeof entry === "string");
  return { ...Object.fromEntries(inner), ...(holdsText && fields) };
}
