// Judges requests by Discord's own description of its API. The document is data beside the project, not in it.
import { existsSync, readFileSync } from "node:fs";
import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";

/** Where the document is looked for. */
export const OPENAPI_PATH = process.env["DISCORD_OPENAPI"] ?? "../shared/discord/openapi.json";

/** Whether there is a document to judge by. */
export const hasOpenapi = existsSync(OPENAPI_PATH);

/** A request as the sandbox recorded it. */
export interface JudgedRequest {
  readonly method: string;
  /** Below `/api/v10`, e.g. `/channels/1/messages`. */
  readonly path: string;
  readonly body: unknown;
}

interface Operation {
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: unknown }>> };
}

interface Route {
  readonly pattern: RegExp;
  readonly template: string;
  readonly placeholders: number;
  readonly operations: Readonly<Record<string, Operation>>;
}

export interface OpenapiJudge {
  /** What is wrong with the request: one line for each finding, none when it is as Discord describes. */
  findings(request: JudgedRequest): string[];
}

/** Reads the document once and compiles a validator for each operation that is met. */
export function createOpenapiJudge(path = OPENAPI_PATH): OpenapiJudge {
  // The document is Discord's own OpenAPI 3.1; its `paths` are objects of operations.
  const document = JSON.parse(readFileSync(path, "utf8"), allowBitSets) as {
    paths: Record<string, Record<string, Operation>>;
  };
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: true });
  addFormats.default(ajv);
  ajv.addFormat("snowflake", /^\d{1,20}$/);
  ajv.addFormat("nonce", true);
  ajv.addSchema({ $id: "discord", ...document });

  const routes = Object.entries(document.paths).map(([template, operations]): Route => {
    const pattern = new RegExp(`^${template.replaceAll(/\{[^}]+\}/g, "[^/]+")}$`);
    return { pattern, template, placeholders: template.split("{").length, operations };
  });
  const validators = new Map<string, ValidateFunction | undefined>();

  function validatorFor(route: Route, method: string): ValidateFunction | undefined {
    const key = `${method} ${route.template}`;
    if (!validators.has(key)) {
      const contents = route.operations[method]?.requestBody?.content ?? {};
      const kind = "application/json" in contents ? "application/json" : Object.keys(contents)[0];
      const pointer = ["paths", route.template, method, "requestBody", "content", kind ?? "", "schema"]
        .map((part) => encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1")))
        .join("/");
      validators.set(key, kind === undefined ? undefined : ajv.compile({ $ref: `discord#/${pointer}` }));
    }
    return validators.get(key);
  }

  return {
    findings({ method, path: requested, body }) {
      const verb = method.toLowerCase();
      const decoded = decodeURIComponent(requested);
      const route = routes
        .filter((candidate) => candidate.pattern.test(decoded) && candidate.operations[verb] !== undefined)
        .toSorted((a, b) => a.placeholders - b.placeholders)[0];
      if (route === undefined) {
        return [`${method} ${requested}: not a route of Discord's`];
      }
      const validate = validatorFor(route, verb);
      if (validate === undefined || body === undefined || validate(body)) {
        return [];
      }
      return deepest(validate.errors ?? []).map(
        (error) =>
          `${method} ${route.template} ${error.instancePath || "/"}: ${error.message ?? error.keyword}`,
      );
    },
  };
}

/** Permissions are a bit set in a string, says Discord's documentation, which wins; its schema knows integers only. */
function allowBitSets(key: string, value: unknown): unknown {
  return key === "default_member_permissions" && typeof value === "object"
    ? { type: ["string", "integer", "null"], pattern: "^\\d+$" }
    : value;
}

/** A union's errors name every branch; those at the deepest place tell what is really wrong. */
function deepest(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const depth = (error: ErrorObject) => error.instancePath.split("/").length;
  const bottom = Math.max(...errors.map(depth));
  return errors.filter((error) => depth(error) === bottom);
}
