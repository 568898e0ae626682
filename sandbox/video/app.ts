// The stand-in's app: reads each request and checks its caller before the routes, and formats their errors.
import { Hono } from "hono";
import type { ServerParts } from "../http/stand-in.ts";
import { checkCaller, readCredentials } from "./caller.ts";
import type { VideoContext, VideoEnv } from "./context.ts";
import type { VideoFaults } from "./faults.ts";
import { gone, GraphError, formatError } from "./graph-error.ts";
import { type LedgerEntry, withoutSecrets } from "./ledger.ts";
import { readForm } from "./read-form.ts";
import { createComments } from "./routes/comments.ts";
import { createInsights } from "./routes/insights.ts";
import { createPeople } from "./routes/people.ts";
import { createUploads } from "./routes/uploads.ts";
import { createVideos } from "./routes/videos.ts";
import { createWatch } from "./routes/watch.ts";

type AppDependencies = ServerParts<LedgerEntry, VideoFaults> & VideoContext;

const VERSIONED = "/:version{v[0-9]+\\.[0-9]+}";
const NODE = `${VERSIONED}/:id{[0-9_]+}` as const;
const SLOW_STEP = { bytes: 8, ms: 2 };
const HIGH_USAGE = JSON.stringify({ call_count: 95, total_time: 17, total_cputime: 8 });

export function createApp(standIn: AppDependencies): Hono<VideoEnv> {
  const { clock, store, settings } = standIn;
  const app = new Hono<VideoEnv>({ strict: true });
  let traces = 0;

  app.use(async (request, next) => {
    await next();
    const alteration = standIn.faults.alterationOf(request.env.incoming);
    if (alteration === "usage-high") {
      request.header("x-app-usage", HIGH_USAGE);
    }
    if (alteration === "slow-body") {
      request.res = new Response(slowly(await request.res.arrayBuffer()), request.res);
    }
  });

  app.get("/", (request) => request.text("The video stand-in of Signalbox's sandbox: POST /v26.0/me/videos"));

  app.use(`${VERSIONED}/*`, async (request, next) => {
    const { incoming } = request.env;
    const version = servedVersion(request.req.param("version"), clock.now());
    if (version === undefined) {
      throw new GraphError(2500, "Unknown path components");
    }
    request.header("facebook-api-version", version);
    const form = await readForm(incoming);
    const url = new URL(request.req.url);
    const credentials = readCredentials(request.req.header("authorization"), form.fields, url.searchParams);
    const entry = standIn.entryOf(incoming);
    if (entry) {
      const [file] = Object.values(form.files);
      entry.tokenIn = credentials.tokenIn;
      entry.hasProof = credentials.proof !== undefined;
      entry.fields = withoutSecrets({ ...Object.fromEntries(url.searchParams), ...form.fields });
      entry.file = file && {
        name: file.name,
        contentType: file.contentType,
        sizeBytes: file.sizeBytes,
        sha256: file.sha256,
      };
    }
    const caller = checkCaller(credentials, store, settings.needsProof);
    if (entry) {
      entry.ownerId = caller.ownerId;
    }
    request.set("call", {
      caller,
      form,
      alteration: standIn.faults.alterationOf(incoming),
      recordWrite: (write) => entry && (entry.write = write),
    });
    await next();
  });
  for (const create of [createUploads, createPeople, createVideos, createComments, createInsights]) {
    app.route(VERSIONED, create(standIn));
  }
  // Any id may be requested. If no route above has answered, the object does not exist.
  app.on(["GET", "POST", "DELETE"], [NODE, `${NODE}/:edge{comments|videos|video_insights}`], (request) => {
    throw gone(request.req.param("id"), request.req.method.toLowerCase());
  });
  app.route("/", createWatch(standIn));

  app.notFound((request) => {
    const sentence = `The video stand-in does not serve ${request.req.method} ${request.req.path}`;
    standIn.onUnknown(sentence);
    return request.json(formatError(new GraphError(2500, sentence), "AUnknown"), 404);
  });
  app.onError((error, request) => {
    if (!request.env.incoming.complete) {
      // The connection broke, so nobody can receive an answer.
      return request.body(null, 400);
    }
    if (!(error instanceof GraphError)) {
      throw error;
    }
    const { code, details } = error;
    const entry = standIn.entryOf(request.env.incoming);
    if (entry) {
      entry.error = details.subcode === undefined ? String(code) : `${code}/${details.subcode}`;
    }
    traces += 1;
    const trace = `A${traces.toString(36).padStart(10, "0")}`;
    request.header("www-authenticate", `OAuth "Facebook Platform" "invalid_request"`);
    return request.json(formatError(error, trace), details.status ?? 400);
  });
  return app;
}

/** The versions and when each ends; the newest has no end yet. */
const ENDS: readonly (readonly [string, number])[] = [
  ["v21.0", Date.UTC(2027, 0, 21)],
  ["v22.0", Date.UTC(2027, 4, 20)],
  ["v23.0", Date.UTC(2027, 9, 8)],
  ["v24.0", Date.UTC(2028, 1, 18)],
  ["v25.0", Date.UTC(2028, 6, 29)],
  ["v26.0", Number.POSITIVE_INFINITY],
];

/** The version that serves a request for version `requested`, e.g. `v26.0`; `undefined` if that never existed. */
function servedVersion(requested: string, nowMs: number): string | undefined {
  const [, major = ""] = /^v(\d{1,2})\.\d$/.exec(requested) ?? [];
  const newest = ENDS.at(-1)?.[0] ?? requested;
  if (major === "" || Number(major) > Number(newest.slice(1, -2))) {
    return undefined;
  }
  const living = ENDS.filter(([, endsAtMs]) => endsAtMs > nowMs).map(([version]) => version);
  return living.includes(requested) ? requested : living[0];
}

function slowly(body: ArrayBuffer): ReadableStream<Uint8Array> {
  const bytes = new Uint8Array(body);
  let at = 0;
  return new ReadableStream({
    async pull(controller) {
      await new Promise((resolve) => setTimeout(resolve, SLOW_STEP.ms));
      controller.enqueue(bytes.slice(at, at + SLOW_STEP.bytes));
      at += SLOW_STEP.bytes;
      if (at >= bytes.byteLength) {
        controller.close();
      }
    },
  });
}
