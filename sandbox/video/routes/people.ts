import { Hono } from "hono";
import type { VideoContext, VideoEnv } from "../context.ts";
import { parseFields, selectFields } from "../fields.ts";
import { APP_ID, PERSON } from "../tokens.ts";

export function createPeople({ store }: VideoContext): Hono<VideoEnv> {
  const nameOf = (id: string): string | undefined =>
    id === PERSON.id ? PERSON.name : store.findPage(id)?.name;

  return new Hono<VideoEnv>()
    .get("/debug_token", (request) => {
      const value = request.req.query("input_token") ?? "";
      const token = store.tokens.get(value);
      const known = { app_id: APP_ID, application: "signalbox" };
      if (token === undefined || token.errorSubcode !== undefined) {
        const error = { code: 190, message: "The access token is not valid." };
        return request.json({ data: { ...known, error, is_valid: false, scopes: [] } });
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
    .get("/:id", async (request, next) => {
      const { caller } = request.get("call");
      const idOrMe = request.req.param("id");
      const id = idOrMe === "me" ? caller.ownerId : idOrMe;
      const name = nameOf(id);
      if (name === undefined) {
        return next();
      }
      const fields = parseFields(request.req.query("fields") ?? "name");
      return request.json(selectFields({ id: () => id, name: () => name }, fields, "Page"));
    });
}
