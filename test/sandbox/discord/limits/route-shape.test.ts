import { expect, it } from "vitest";
import { shapeOf } from "../../../../sandbox/discord/limits/route-shape.ts";

it.each([
  ["POST", "/channels/1/messages", "POST /channels/:id/messages", "1"],
  ["PATCH", "/channels/1/messages/2", "PATCH /channels/:id/messages/:id", "1"],
  ["GET", "/guilds/3/members/4", "GET /guilds/:id/members/:id", "3"],
  ["PATCH", "/webhooks/5/a.b/messages/@original", "PATCH /webhooks/:id/:token/messages/:id", "5/a.b"],
  ["PUT", "/applications/5/guilds/3/commands", "PUT /applications/:id/guilds/:id/commands", ""],
  ["GET", "/users/@me", "GET /users/@me", ""],
])("%s %s has the shape %s", (method, path, shape, major) => {
  expect(shapeOf(method, path)).toEqual({ shape, major });
});
