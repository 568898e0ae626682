// The REST API v10: reads bodies, checks the token, routes requests and formats refusals.
import { DiscordError, formatError, refusal } from "../errors.ts";
import type { Platform } from "../platform.ts";
import type { Recorder } from "../record.ts";
import { readBody } from "./body.ts";
import { channelRoutes } from "./channels.ts";
import { commandRoutes } from "./commands.ts";
import { API_PREFIX, createRoutes, type Routes } from "./environment.ts";
import { interactionRoutes } from "./interactions.ts";
import { messageRoutes } from "./messages.ts";
import { selfRoutes } from "./self.ts";

interface ApiParts {
  readonly platform: Platform;
  readonly recorder: Recorder;
  readonly onUnknownRoute: (route: string) => void;
  readonly onBug: (error: unknown) => void;
}

/** The paths that do not need the bot's token, in most cases because they contain a token of their own. */
const PATHS_WITHOUT_TOKEN = /^\/(interactions\/[^/]+\/[^/]+|webhooks\/[^/]+\/[^/]+|gateway$)/;

export function createApi(parts: ApiParts): Routes {
  const { platform, recorder } = parts;
  const api = createRoutes();

  api.use(async (context, next) => {
    const path = context.req.path.slice(API_PREFIX.length);
    const body = await readBody(context.req.raw, platform.settings);
    const record = recorder.of(context.env.incoming);
    if (record !== undefined) {
      record.body = body.json;
      record.files = body.files;
    }
    context.set("record", record);
    context.set("body", body);
    if (!PATHS_WITHOUT_TOKEN.test(path)) {
      const given = context.req.header("authorization");
      if (given !== `Bot ${platform.state.application.token}`) {
        throw refusal("unauthorised");
      }
    }
    await next();
  });

  for (const routes of [selfRoutes, commandRoutes, interactionRoutes, channelRoutes, messageRoutes]) {
    api.route("/", routes(platform));
  }

  api.all("*", (context) => {
    parts.onUnknownRoute(`${context.req.method} ${context.req.path.slice(API_PREFIX.length)}`);
    throw refusal("unknownRoute");
  });

  api.onError((error, context) => {
    if (!(error instanceof DiscordError)) {
      parts.onBug(error);
    }
    const known =
      error instanceof DiscordError ? error : new DiscordError(500, 0, "500: Internal Server Error");
    const record = recorder.of(context.env.incoming);
    if (record !== undefined) {
      record.refusal = known;
    }
    if (known.retryAfterMs !== undefined) {
      context.header("retry-after", String(Math.ceil(known.retryAfterMs / 1000)));
      context.header("x-ratelimit-scope", "shared");
      if (record !== undefined) {
        record.refusedBy = "shared";
      }
    }
    // Every status in errors.ts allows a body, like 400.
    return context.json(formatError(known), known.status as 400);
  });

  return api;
}
