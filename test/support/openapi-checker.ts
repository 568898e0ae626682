// Checks requests and answers against Discord's own OpenAPI document, which is in test/fixtures/discord-api.
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";

const DOCUMENT = new URL("../fixtures/discord-api/openapi.json.gz", import.meta.url);

/** A request as the sandbox recorded it. */
export interface CheckedRequest {
  readonly method: string;
  /** Below `/api/v10`, e.g. `/channels/1/messages`. */
  readonly path: string;
  readonly body: unknown;
}

/** An answer of the sandbox to such a request. */
export interface CheckedAnswer {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  /** Parsed JSON; `undefined` if there is no body. */
  readonly body: unknown;
}

type Content = Readonly<Record<string, { readonly schema: unknown }>>;

interface Operation {
  readonly requestBody?: { readonly content: Content };
  /** By status, with `4XX` for all errors; some only refer to a shared response. */
  readonly responses?: Readonly<Record<string, { readonly content?: Content; readonly $ref?: string }>>;
}

interface Route {
  readonly pattern: RegExp;
  readonly template: string;
  readonly placeholders: number;
  readonly operations: Readonly<Record<string, Operation>>;
}

export interface OpenapiChecker {
  /** Lists what is wrong with a request, one line each; empty if it matches the document. */
  findings(request: CheckedRequest): string[];
  /** The same for an answer; an undocumented status is a finding too. */
  answerFindings(answer: CheckedAnswer): string[];
}

let checker: OpenapiChecker | undefined;

/**
 * Returns the checker of this process. It reads the document once, and compiles a validator for each operation that is
 * used.
 */
export function openapiChecker(): OpenapiChecker {
  checker ??= createOpenapiChecker();
  return checker;
}

function createOpenapiChecker(): OpenapiChecker {
  // The document is OpenAPI 3.1; its `paths` are objects of operations.
  const document = JSON.parse(gunzipSync(readFileSync(DOCUMENT)).toString(), correctSchema) as {
    paths: Record<string, Record<string, Operation>>;
    components: { responses: Record<string, { content?: Content }> };
  };
  // Optimising the validators takes longer than running them unoptimised.
  const code = { optimize: false };
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: true, code });
  addFormats.default(ajv);
  ajv.addFormat("snowflake", /^\d{1,20}$/);
  ajv.addFormat("nonce", true);
  ajv.addSchema({ $id: "discord", ...document });

  const routes = Object.entries(document.paths).map(([template, operations]): Route => {
    const pattern = new RegExp(`^${template.replaceAll(/\{[^}]+\}/g, "[^/]+")}$`);
    return { pattern, template, placeholders: template.split("{").length, operations };
  });
  const validators = new Map<string, ValidateFunction>();

  /** Returns the validator for the schema at a place in the document. */
  function validatorAt(...place: readonly string[]): ValidateFunction {
    const pointer = place
      .map((part) => encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1")))
      .join("/");
    const validator = validators.get(pointer) ?? ajv.compile({ $ref: `discord#/${pointer}` });
    validators.set(pointer, validator);
    return validator;
  }

  /** `undefined` if the document describes no body for this request. */
  function requestValidatorFor(
    { template, operations }: Route,
    method: string,
  ): ValidateFunction | undefined {
    const contents = operations[method]?.requestBody?.content ?? {};
    const kind = "application/json" in contents ? "application/json" : Object.keys(contents)[0];
    return kind === undefined
      ? undefined
      : validatorAt("paths", template, method, "requestBody", "content", kind, "schema");
  }

  function routeOf(method: string, requested: string): Route | undefined {
    const decoded = decodeURIComponent(requested);
    return routes
      .filter((candidate) => candidate.pattern.test(decoded) && candidate.operations[method] !== undefined)
      .toSorted((a, b) => a.placeholders - b.placeholders)[0];
  }

  /** `none` if the status is described without a body; `undefined` if it is not described. */
  function answerValidatorFor(
    route: Route,
    method: string,
    status: number,
  ): ValidateFunction | "none" | undefined {
    const responses = route.operations[method]?.responses ?? {};
    const name = [String(status), `${Math.trunc(status / 100)}XX`].find(
      (one) => responses[one] !== undefined,
    );
    if (name === undefined) {
      return undefined;
    }
    const shared = responses[name]?.$ref?.split("/").at(-1);
    const content =
      shared === undefined ? responses[name]?.content : document.components.responses[shared]?.content;
    if (content === undefined) {
      return "none";
    }
    const where =
      shared === undefined
        ? ["paths", route.template, method, "responses", name]
        : ["components", "responses", shared];
    return validatorAt(...where, "content", "application/json", "schema");
  }

  return {
    answerFindings({ method, path: requested, status, body }) {
      const verb = method.toLowerCase();
      const route = routeOf(verb, requested);
      if (route === undefined) {
        return [`${method} ${requested}: not a route of Discord's`];
      }
      const title = `${method} ${route.template} ${status}`;
      const validate = answerValidatorFor(route, verb, status);
      if (validate === undefined) {
        return [`${title}: not a status that Discord describes`];
      }
      if (validate === "none") {
        return body === undefined ? [] : [`${title}: has a body`];
      }
      return findingsOf(validate, body, title);
    },
    findings({ method, path: requested, body }) {
      const verb = method.toLowerCase();
      const route = routeOf(verb, requested);
      if (route === undefined) {
        return [`${method} ${requested}: not a route of Discord's`];
      }
      const validate = requestValidatorFor(route, verb);
      return validate === undefined || body === undefined
        ? []
        : findingsOf(validate, body, `${method} ${route.template}`);
    },
  };
}

/**
 * If Discord's documentation contradicts its schema, the documentation wins: permissions are a bit set in a string,
 * errors of 50035 have words as codes, and a forwarded message has a reference of type 1.
 */
function correctSchema(key: string, value: unknown): unknown {
  if (key === "default_member_permissions" && typeof value === "object") {
    return { type: ["string", "integer", "null"], pattern: "^\\d+$" };
  }
  if (key === "InnerErrors") {
    const finding = {
      type: "object",
      properties: { code: { type: "string" }, message: { type: "string" } },
      required: ["code", "message"],
    };
    return {
      type: "object",
      properties: { _errors: { type: "array", items: finding } },
      additionalProperties: false,
      required: ["_errors"],
    };
  }
  if (key === "MessageReferenceType") {
    return { type: "integer", enum: [0, 1] };
  }
  return value;
}

/** Lists what is wrong with a body, one line each. */
function findingsOf(validate: ValidateFunction, body: unknown, title: string): string[] {
  return validate(body)
    ? []
    : deepest(validate.errors ?? []).map(
        ({ instancePath, message, keyword }) => `${title} ${instancePath || "/"}: ${message ?? keyword}`,
      );
}

/** A union's errors name every branch; the errors at the deepest place say what is really wrong. */
function deepest(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const depth = (error: ErrorObject) => error.instancePath.split("/").length;
  const bottom = Math.max(...errors.map(depth));
  return errors.filter((error) => depth(error) === bottom);
}
