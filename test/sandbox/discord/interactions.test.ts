import { describe, expect, it } from "vitest";
import { isInteractionOpen } from "../../../sandbox/discord/rules/interactions.ts";
import { openRawScene } from "./raw-bot.ts";

const reply = (data: object) => ({ type: 4, data });

describe("an interaction", () => {
  it("is unknown (10062) to a callback after 3 seconds", async () => {
    await using scene = await openRawScene();
    const { callback, ended } = await scene.interact();
    await scene.clock.advance(3000);
    const { status, json } = await scene.api("POST", callback, reply({ content: "late" }));
    expect([status, json["code"]]).toEqual([404, 10_062]);
    expect(String(await ended)).toContain("did not respond");
  });

  it("accepts only one answer", async () => {
    await using scene = await openRawScene();
    const { callback } = await scene.interact();
    expect((await scene.api("POST", callback, { type: 5 })).status).toBe(204);
    await scene.clock.advance(3000);
    const { status, json } = await scene.api("POST", callback, reply({ content: "again" }));
    expect([status, json["code"]]).toEqual([400, 40_060]);
  });

  it("is unknown under another token", async () => {
    await using scene = await openRawScene();
    const { callback } = await scene.interact();
    const { json } = await scene.api(
      "POST",
      callback.replace("/callback", "x/callback"),
      reply({ content: "a" }),
    );
    expect(json["code"]).toBe(10_062);
  });

  it("returns itself and its message to a callback with with_response", async () => {
    await using scene = await openRawScene();
    const { callback } = await scene.interact();
    const answer = await scene.api("POST", `${callback}?with_response=true`, reply({ content: "hi" }));
    expect(answer.status).toBe(200);
    expect(answer.json).toMatchObject({
      interaction: { type: 2 },
      resource: { type: 4, message: { content: "hi" } },
    });
  });

  it("answers a callback without with_response with 204 and no content type", async () => {
    await using scene = await openRawScene();
    const { callback } = await scene.interact();
    const { status, headers } = await scene.api("POST", callback, reply({ content: "hi" }));
    expect([status, headers.get("content-type")]).toEqual([204, null]);
  });

  it("refuses a defer with flags other than EPHEMERAL", async () => {
    await using scene = await openRawScene();
    const { callback } = await scene.interact();
    const { json } = await scene.api("POST", callback, { type: 5, data: { flags: 1 << 15 } });
    expect(json).toMatchObject({ code: 50_035, errors: { data: { flags: { _errors: [{}] } } } });
  });

  it.each([6, 7, 8])("of a command cannot be answered with callback type %i", async (type) => {
    await using scene = await openRawScene();
    const { callback } = await scene.interact();
    const { json } = await scene.api("POST", callback, { type, data: { choices: [] } });
    expect(json).toMatchObject({ code: 50_035, errors: { type: { _errors: [{}] } } });
  });

  it("can still be answered after a refused answer", async () => {
    await using scene = await openRawScene();
    const { callback } = await scene.interact();
    const refused = await scene.api("POST", callback, reply({ content: "x".repeat(2001) }));
    expect(refused.json).toMatchObject({
      errors: { data: { content: { _errors: [{ code: "BASE_TYPE_MAX_LENGTH" }] } } },
    });
    expect((await scene.api("POST", callback, reply({ content: "short" }))).status).toBe(204);
  });

  it("is no longer open once the clock is set back", async () => {
    await using scene = await openRawScene();
    await scene.interact();
    expect(isInteractionOpen(scene.discord.platform)).toBe(true);
    await scene.clock.set(scene.clock.now() - 60_000);
    expect(isInteractionOpen(scene.discord.platform)).toBe(false);
  });

  it("opens its webhook with the first answer, for 15 minutes", async () => {
    await using scene = await openRawScene();
    const { callback, webhook } = await scene.interact();
    expect((await scene.api("POST", webhook, { content: "early" })).json["code"]).toBe(10_015);
    await scene.api("POST", callback, { type: 5 });
    await scene.clock.advance(15 * 60_000 - 1);
    expect((await scene.api("PATCH", `${webhook}/messages/@original`, { content: "in time" })).status).toBe(
      200,
    );
    await scene.clock.advance(1);
    const late = await scene.api("PATCH", `${webhook}/messages/@original`, { content: "late" });
    expect([late.status, late.json["code"]]).toEqual([401, 50_027]);
  });

  it("fills the “thinking…” message with the first follow-up after a defer, which stays private", async () => {
    await using scene = await openRawScene();
    const { callback, webhook } = await scene.interact();
    await scene.api("POST", callback, { type: 5, data: { flags: 64 } });
    expect((await scene.api("GET", `${webhook}/messages/%40original`)).json["flags"]).toBe(64 | 128);
    const followed = await scene.api("POST", `${webhook}?wait=true`, { content: "filled" });
    const original = await scene.api("GET", `${webhook}/messages/@original`);
    expect(original.json).toMatchObject({ id: followed.json["id"], content: "filled", flags: 64 });
    expect(scene.ada.messages(scene.general)).toHaveLength(1);
    expect(scene.discord.member("Alan").messages(scene.general)).toHaveLength(0);
  });

  it("accepts a private follow-up after the public “thinking…” message was deleted", async () => {
    await using scene = await openRawScene();
    const { callback, webhook, ended } = await scene.interact();
    await scene.api("POST", callback, { type: 5 });
    expect((await scene.api("DELETE", `${webhook}/messages/@original`)).status).toBe(204);
    await scene.api("POST", webhook, { content: "sorry", flags: 64 });
    expect(await ended).toMatchObject({ kind: "message", text: "sorry", message: { ephemeral: true } });
    const gone = await scene.api("PATCH", `${webhook}/messages/@original`, { content: "x" });
    expect([gone.status, gone.json["code"]]).toEqual([404, 10_008]);
  });
});
