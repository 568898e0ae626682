import { fileURLToPath } from "node:url";
import { type ServerParts, type StandInOptions, startStandIn } from "../http/stand-in.ts";
import { createStyleFaults, type StyleFaults } from "./faults.ts";
import { type LedgerEntry, readRestyleRequest, Refusal } from "./restyle-request.ts";
import { type ANSWER_SHAPES, answerAltered, createResults, type Results } from "./results.ts";
import type { IncomingMessage } from "node:http";
import { Hono } from "hono";
import type { Clock } from "../clock/clock.ts";
import type { ServerEnv } from "../faults/faults.ts";
import { createJobs } from "./jobs.ts";
import { restyle } from "./filters.ts";

/** Settings that may be changed while the stand-in runs. */
interface StyleSettings {
  shape: (typeof ANSWER_SHAPES)[number];
  /** Whether the fields `strength`, `style2` and `mix` have an effect. */
  parameters: "on" | "off";
  /** Milliseconds that a job takes on the sandbox's clock. */
  jobMs: number;
  /** The result of every request, whose form is then not read. For tests and benchmarks of everything but the filters. */
  canned: Uint8Array | undefined;
}

export interface StyleStandInOptions extends StandInOptions, Partial<StyleSettings> {}

export type StyleStandIn = Awaited<ReturnType<typeof startStyleStandIn>>;

const API_KEY = "sandbox-style-key-0123456789abcdef";
const DEFAULTS: StyleSettings = { shape: "url", parameters: "on", jobMs: 3_000, canned: undefined };

/** Starts listening on 127.0.0.1. Its settings may be changed while it runs. */
export async function startStyleStandIn(options: StyleStandInOptions) {
  const { clock, ...chosen } = options;
  const settings: StyleSettings = { ...DEFAULTS, ...chosen };
  let baseUrl = "";
  const results = createResults(() => baseUrl);

  const standIn = await startStandIn<LedgerEntry, StyleFaults>(options, {
    name: "style; a local filter, not a neural model",
    createFaults: createStyleFaults,
    createApp: (server) => createApp(server, { clock, settings, results }),
    receive: (request) => ({
      path: request.url ?? "/",
      hasKey: request.headers.authorization === `Bearer ${API_KEY}`,
      sent: undefined,
    }),
  });
  ({ baseUrl } = standIn);
  const catalogue = settings.parameters === "on" ? "catalogue-with-parameters.json" : "catalogue.json";

  // The app reads the same object, so a change of a setting takes effect at once.
  return Object.assign(settings, {
    ...standIn,
    apiKey: API_KEY,
    /** The catalogue that matches the settings with which the stand-in was started. */
    catalogueFile: fileURLToPath(new URL(catalogue, import.meta.url)),
  });
}

function createApp(
  server: ServerParts<LedgerEntry, StyleFaults>,
  { clock, settings, results }: { clock: Clock; settings: StyleSettings; results: Results },
): Hono<ServerEnv> {
  const app = new Hono<ServerEnv>({ strict: true });
  const jobs = createJobs(clock, server.baseUrl);

  for (const path of ["/v1/*", "/jobs/*"]) {
    app.use(path, async (request, next) => {
      if (request.req.header("authorization") !== `Bearer ${API_KEY}`) {
        throw new Refusal(401, "invalid_api_key", "Authorization must be Bearer and a valid key");
      }
      await next();
    });
  }

  app.get("/", (request) => request.text("The style stand-in of Signalbox's sandbox: POST /v1/process"));

  app.post("/v1/process", async (request) => {
    const { shape, jobMs } = settings;
    const { incoming } = request.env;
    const result = results.add(await makePicture(request.req.raw, incoming));
    const alteration = server.faults.alterationOf(incoming);
    if (alteration !== undefined) {
      return answerAltered(alteration, result, { jobs, results, jobMs });
    }
    if (shape === "job") {
      return jobs.start(result, "picture", jobMs);
    }
    const picture =
      shape === "url"
        ? { id: result.id, output_url: result.url }
        : { error_code: 0, error_msg: "", image: Buffer.from(result.bytes).toString("base64") };
    return request.json({ ...picture, note: "a local filter, not a neural model" });
  });

  async function makePicture(request: Request, incoming: IncomingMessage): Promise<Uint8Array> {
    const { parameters, canned } = settings;
    if (canned !== undefined) {
      await request.arrayBuffer();
      return canned;
    }
    const restyleRequest = await readRestyleRequest(request, parameters, (sent) =>
      Object.assign(server.entryOf(incoming) ?? {}, { sent }),
    );
    return restyle(restyleRequest);
  }

  app.get("/jobs/:id", (request) => jobs.get(request.req.param("id")));
  app.post("/jobs/:id/cancel", (request) => jobs.cancel(request.req.param("id")));
  app.get("/outputs/:name", (request) => {
    const found = results.open(request.req.param("name"));
    if (found === undefined) {
      throw new Refusal(404, "not_found", "There is no such result, or it has expired");
    }
    return found;
  });

  app.notFound((request) => {
    const sentence = `The style stand-in does not serve ${request.req.method} ${request.req.path}`;
    server.onUnknown(sentence);
    return request.json({ error: sentence }, 404);
  });
  app.onError((error, request) => {
    if (error instanceof Refusal) {
      return request.json({ error: { message: error.message, code: error.code } }, error.status);
    }
    throw error;
  });
  return app;
}
