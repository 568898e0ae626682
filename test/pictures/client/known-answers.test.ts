// A table of all answers and failures of style services that the bot understands without a catalogue.
import { describe, expect, test } from "vitest";
import { explainError } from "../../../src/discord/explain-error.ts";
import { explainPictureError } from "../../../src/pictures/explain-picture.ts";
import { JPEG, PNG, type StubAnswer, openStyleStub } from "../../support/style-stub.ts";

const [PNG64, JPEG64] = [PNG, JPEG].map((bytes) => bytes.toString("base64")) as [string, string];
const HTML = "<!doctype html><p>Sign in";

/** The service's answer to the picture, and then those at its other addresses, in order. */
type Answers = readonly [taken: StubAnswer, later?: Readonly<Record<string, readonly StubAnswer[]>>];

const SHAPES: Readonly<Record<string, Answers>> = {
  "the picture itself, called HTML": [{ body: PNG, headers: { "content-type": "text/html" } }],
  "an address": [{ body: { id: "a1", output_url: "/a.png" } }, { "/a.png": [{ body: PNG }] }],
  "a path without a slash": [
    { body: { imageUrl: "outputs/a.webp" } },
    { "/outputs/a.webp": [{ body: PNG }] },
  ],
  "a path that begins like a JPEG": [{ body: { url: "/9j/a.png" } }, { "/9j/a.png": [{ body: PNG }] }],
  "a wrapped address, with a warning": [
    { body: { status: "success", data: { id: "a1", url: "/a.png" }, warning: "slow" } },
    { "/a.png": [{ body: PNG }] },
  ],
  "a list of addresses in objects": [
    { body: { images: [{ url: "/a.png", content_type: "image/png" }] } },
    { "/a.png": [{ body: PNG }] },
  ],
  "objects in objects of a list": [
    { body: { images: [{ image: { url: "/a" } }] } },
    { "/a": [{ body: PNG }] },
  ],
  "a list of addresses": [{ body: { generated: ["/a.png"] } }, { "/a.png": [{ body: PNG }] }],
  "an address beside the original": [
    { body: { image: "/in.png", output_url: "/a.png", input: { image: "/in.png" } } },
    { "/a.png": [{ body: PNG }] },
  ],
  "a list of base64": [{ body: { data: [{ b64_json: PNG64 }] } }],
  "a list with one filtered picture": [
    {
      body: {
        artifacts: [
          { base64: JPEG64, finishReason: "CONTENT_FILTERED" },
          { base64: PNG64, finishReason: "SUCCESS" },
        ],
      },
    },
  ],
  "base64 beside empty errors": [
    { body: { error_code: 0, error_msg: "", error: null, errors: [], image: PNG64 } },
  ],
  "wrapped base64": [{ body: { data: { result_b64: PNG64 } } }],
  "base64 for addresses": [{ body: { imageBase64: PNG.toString("base64url") } }],
  "base64 in lines": [{ body: { image: PNG64.replace(/.{40}/g, "$&\n") } }],
  "a data URI": [{ body: { output: `data:image/png;base64,${PNG64}` } }],
  "data URIs while it is still processing": [
    { body: { status: "processing", output: [`data:image/png;base64,${PNG64}`] } },
  ],
  "a prediction": [
    { status: 201, body: { id: "p1", status: "starting", output: null, urls: { get: "/p1" } } },
    {
      "/p1": [
        { body: { status: "processing", output: null } },
        { body: { status: "succeeded", output: ["/a"] } },
      ],
      "/a": [{ body: PNG }],
    },
  ],
  "a queue with the result elsewhere": [
    { body: { request_id: "r1", status_url: "/r1/status", response_url: "/r1" } },
    {
      "/r1/status": [{ body: { status: "IN_QUEUE", queue_position: 3 } }, { body: { status: "COMPLETED" } }],
      "/r1": [{ body: { images: [{ url: `data:image/png;base64,${PNG64}` }] } }],
    },
  ],
  "202 and a Location": [
    { status: 202, body: {}, headers: { location: "/jobs/7" } },
    { "/jobs/7": [{ body: { progress: "35" } }, { body: PNG }] },
  ],
  "202 and a Location, without a body": [
    { status: 202, headers: { location: "/jobs/7" } },
    { "/jobs/7": [{ status: 202 }, { body: PNG }] },
  ],
  "a job with a numeric id": [
    { body: { code: 0, data: 90_210, msg: null }, headers: { location: "/jobs/9" } },
    {
      "/jobs/9": [
        { body: { data: { percentage: 40, status: 0 } } },
        { body: { data: { result_b64: PNG64 } } },
      ],
    },
  ],
  "a result's address before there is a result": [
    { body: { id: "b1", status: "Pending", result_url: "/b1" } },
    { "/b1": [{ body: { status: "Ready", result: { sample: PNG64 } } }] },
  ],
  "a success that only means accepted": [
    { body: { status: "success", id: "m1", poll_url: "/m1" } },
    { "/m1": [{ body: { status: "in progress" } }, { body: { status: "success", image: PNG64 } }] },
  ],
};

const CREDENTIALS =
  "The style service doesn't accept this bot's credentials. Please ask the person who runs it to renew them.";
const CREDIT =
  "This bot has run out of credit with the style service. Please ask the person who runs it to top it up.";
const REFUSED = "The style service didn't accept this picture. Please try another picture, or another style.";
const NO_STYLE = "The style service has no style by that name. Please try another one: `/styles` shows some.";
const TOO_LARGE = "This picture is too large for the style service. Please try a smaller one.";
const TOO_LARGE_RESULT =
  "The style service sent back a picture that's too large for me. Please try a smaller picture, or another style.";
const NO_PICTURE =
  "The style service sent back something that isn't a picture. Please try again later. If it keeps happening, tell the person who runs this bot.";
const NOT_PERMITTED = "The style service doesn't let this bot do that. Please tell the person who runs it.";
const UNREACHABLE = "I can't reach the style service right now. Please try again in a few minutes.";
const SLOW = "The style service took too long to answer. Please try again in a moment.";
const busy = (when: string) => `The style service is busy. Please try again ${when}.`;

const jobThat = (answer: StubAnswer): Answers => [
  { body: { id: 1, urls: { get: "/1" } } },
  { "/1": [answer] },
];
const resultThatIs = (answer: StubAnswer): Answers => [{ body: { url: "/a.png" } }, { "/a.png": [answer] }];

const FAILURES: Readonly<Record<string, readonly [sentence: string, ...Answers]>> = {
  "401": [CREDENTIALS, { status: 401, body: { message: "bad key" } }],
  "403 for a key": [CREDENTIALS, { status: 403, body: { errors: [{ title: "API Key invalid" }] } }],
  "403 for a picture": [REFUSED, { status: 403, body: { name: "content_moderation", errors: ["flagged"] } }],
  "403 for credit": [CREDIT, { status: 403, body: { error: "insufficient_api_credits" } }],
  "403 for a balance": [
    CREDIT,
    { status: 403, body: { detail: "User is locked. Reason: Exhausted balance." } },
  ],
  "403 for a prompt": [REFUSED, { status: 403, body: { detail: "The image violates our usage policy" } }],
  "403 for a plan": [NOT_PERMITTED, { status: 403, body: { error: "Your plan does not include this" } }],
  "402": [CREDIT, { status: 402 }],
  "429 for a quota": [CREDIT, { status: 429, body: { error: { code: "insufficient_quota" } } }],
  "429": [busy("in about 2 minutes"), { status: 429, headers: { "ratelimit-reset": "90" } }],
  "400 for a style": [NO_STYLE, { status: 400, body: { error: "Unknown style 'oil'" } }],
  "422 for a style": [NO_STYLE, { status: 422, body: { detail: [{ msg: "style must be one of a, b" }] } }],
  "422 for a picture": [REFUSED, { status: 422, body: { detail: [{ msg: "too small" }] } }],
  "413": [TOO_LARGE, { status: 413, body: "<html>nginx</html>" }],
  "404": [NO_PICTURE, { status: 404, body: "<html>nginx</html>" }],
  "500": [UNREACHABLE, { status: 500, body: { error: "boom" } }],
  "503 while a model loads": [UNREACHABLE, { status: 503, body: { error: "loading", estimated_time: 180 } }],
  "200 with a code": [REFUSED, { body: { code: 4001, data: null, msg: "odd" } }],
  "200 with a status in it": [CREDENTIALS, { body: { statusCode: 401, message: "who are you" } }],
  "200 without credit": [CREDIT, { body: { err: "no credits left" } }],
  "200 for a style": [NO_STYLE, { body: { success: false, message: "unknown style" } }],
  "200 with a moderated picture": [REFUSED, { body: { status: "Request Moderated", result: null } }],
  "200 with a filtered picture": [REFUSED, { body: { image: PNG64, finish_reason: "CONTENT_FILTERED" } }],
  "200 with a blurred picture": [REFUSED, { body: PNG, headers: { "finish-reason": "CONTENT_FILTERED" } }],
  "200 with a black picture": [REFUSED, { body: { images: [{ url: "/a.png" }], has_nsfw_concepts: [true] } }],
  "200 with HTML": [NO_PICTURE, { body: HTML }],
  "200 without a picture": [NO_PICTURE, { body: { payload: 1 } }],
  "a job without an address": [NO_PICTURE, { body: { id: "a1" } }],
  "202 with nothing": [NO_PICTURE, { status: 202 }],
  "200 with nothing": [NO_PICTURE, { headers: { location: "/jobs/7" } }],
  "a job that failed": [UNREACHABLE, ...jobThat({ body: { status: "failed", error: "out of memory" } })],
  "a job that was refused": [
    REFUSED,
    ...jobThat({ body: { status: "failed", error: "NSFW content detected" } }),
  ],
  "a job that the service does not know": [UNREACHABLE, ...jobThat({ body: { status: "Task not found" } })],
  "a job that never ends": [SLOW, ...jobThat({ body: { status: "processing" } })],
  "a job that is done without a picture": [
    NO_PICTURE,
    ...jobThat({ body: { status: "done", output: null } }),
  ],
  "a result that is HTML": [NO_PICTURE, ...resultThatIs({ body: HTML })],
  "a result that is gone": [UNREACHABLE, ...resultThatIs({ status: 404 })],
  "a result that redirects": [NO_PICTURE, ...resultThatIs({ status: 302, headers: { location: "/b" } })],
  "a result of 33 MB": [TOO_LARGE_RESULT, ...resultThatIs({ body: Buffer.alloc(33 * 1024 * 1024) })],
  "a result at a private address": [NO_PICTURE, { body: { url: "https://10.0.0.1/a.png" } }],
};

function restyle([taken, later = {}]: Answers): Promise<Uint8Array> {
  return openStyleStub((request, count) => {
    const answers = request.startsWith("GET ") ? later[request.slice(4)] : [taken];
    return answers?.[count - 1] ?? answers?.at(-1) ?? { status: 404 };
  }).then(({ process, advanceUntil }) => advanceUntil(process()));
}

const NOT_REACHED = "no reference";

describe("without a catalogue", () => {
  test.each(Object.entries(SHAPES))("%s is understood", async (_, answers) => {
    expect(Buffer.from(await restyle(answers))).toEqual(PNG);
  });

  test.each(Object.entries(FAILURES))("%s is explained", async (_, [sentence, ...answers]) => {
    const error: unknown = await restyle(answers).catch((thrown: unknown) => thrown);
    expect(explainError(error, explainPictureError, NOT_REACHED)).toBe(sentence);
  });
});
