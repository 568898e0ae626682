// Whose token it is, what it may do, and which pages a person looks after.
import { Hono } from "hono";
import type { VideoContext, VideoEnv } from "../context.ts";
import type { Token } from "../entities.ts";
import { parseFields, say } from "../fields.ts";
import { GraphError, wrongParameter } from "../graph-error.ts";
import { APP_ID, PERSON } from "../tokens.ts";

const TASKS = ["ANALYZE", "CREATE_CONTENT", "MODERATE", "MANAGE"];

export function createPeople({ store }: VideoContext): Hono<VideoEnv> {
  const nameOf = (id: string): string | undefined =>
    id === PERSON.id ? PERSON.name : store.findPage(id)?.name;

  return new Hono<VideoEnv>()
    .get("/debug_token", (request) => {
      const value = request.req.query("input_token") ?? "";
      const token = store.tokens.get(value);
      const known = { app_id: APP_ID, application: "signalbox" };
      if (token === undefined || token.deadBecause !== undefined) {
        const error = new GraphError(190, "The access token is not valid.");
        return request.json({
          data: { ...known, error: { code: 190, message: error.message }, is_valid: false, scopes: [] },
        });
      }
      const { scopes, ownerId, kind, expiresAt } = token;
      const own = kind === "page" ? [ownerId] : store.pages.map(({ id }) => id);
      return request.json({
        data: {
          ...known,
          type: kind === "page" ? "PAGE" : "USER",
          expires_at: expiresAt,
          data_access_expires_at: 1_900_000_000,
          is_valid: true,
          scopes,
          granular_scopes: scopes.map((scope) => ({ scope, target_ids: own })),
          ...(kind === "page" && { profile_id: ownerId }),
          user_id: PERSON.id,
        },
      });
    })
    .get("/me/permissions", (request) => {
      const { caller } = request.get("asked");
      checkIsPerson(caller, "permissions");
      return request.json({
        data: caller.scopes.map((permission) => ({ permission, status: "granted" })),
      });
    })
    .get("/me/accounts", (request) => {
      const { caller } = request.get("asked");
      checkIsPerson(caller, "accounts");
      const tokens = [...store.tokens.values()];
      return request.json({
        // A page that was not ticked comes without its token: here the second.
        data: store.pages.map((page, at) => ({
          ...page,
          ...(at === 0 && { access_token: tokens.find(({ ownerId }) => ownerId === page.id)?.value }),
          tasks: TASKS,
        })),
        paging: {},
      });
    })
    .get("/:id", async (request, next) => {
      const { caller } = request.get("asked");
      const asked = request.req.param("id");
      const id = asked === "me" ? caller.ownerId : asked;
      const name = nameOf(id);
      if (name === undefined) {
        return next();
      }
      const fields = parseFields(request.req.query("fields") ?? "name");
      return request.json(say({ id: () => id, name: () => name }, fields, "Page"));
    });
}

function checkIsPerson({ kind }: Token, field: string): void {
  if (kind !== "user") {
    throw wrongParameter(`Tried accessing nonexisting field (${field}) on node type (Page)`);
  }
}
