import { describe, expect, it } from "vitest";
import { places } from "./places.ts";
import { openRawScene } from "./raw-bot.ts";

const V2 = 1 << 15;
const text = (content: string) => ({ type: 10, content });
const button = (custom_id: string, more: object = {}) => ({
  type: 2,
  style: 1,
  label: "Go",
  custom_id,
  ...more,
});
const row = (...components: object[]) => ({ type: 1, components });
const option = (value: string) => ({ label: value, value });

describe("a valid message", () => {
  it.each([
    ["with 2,000 characters", { content: "x".repeat(2000) }],
    ["with components V2", { flags: V2, components: [{ type: 17, components: [text("x".repeat(4000))] }] }],
    ["with 40 components", { flags: V2, components: Array.from({ length: 40 }, () => text("x")) }],
    [
      "with five buttons",
      { content: "x", components: [row(...["a", "b", "c", "d", "e"].map((id) => button(id)))] },
    ],
  ])("is accepted %s", async (_name, body) => {
    await using scene = await openRawScene();
    const { status } = await scene.api("POST", `/channels/${scene.general.id}/messages`, body);
    expect(status).toBe(200);
  });
});

describe("an invalid message", () => {
  it.each<[string, object, string]>([
    ["content of 2,001 characters", { content: "x".repeat(2001) }, "content BASE_TYPE_MAX_LENGTH"],
    ["V2 components without the flag", { components: [text("x")] }, "components.0.type UNION_TYPE_CHOICES"],
    [
      "content with V2 components",
      { flags: V2, content: "x", components: [text("y")] },
      "content MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2",
    ],
    [
      "41 components, including nested ones",
      { flags: V2, components: [{ type: 17, components: Array.from({ length: 40 }, () => text("x")) }] },
      "components COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED",
    ],
    [
      "more than 4,000 characters in all texts",
      { flags: V2, components: [text("x".repeat(2001)), text("x".repeat(2000))] },
      "components COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED",
    ],
    [
      "the same custom id twice",
      { content: "x", components: [row(button("a"), button("a"))] },
      "components.0.components.1.custom_id COMPONENT_CUSTOM_ID_DUPLICATED",
    ],
    [
      "a custom id of 101 characters",
      { content: "x", components: [row(button("a".repeat(101)))] },
      "components.0.components.0.custom_id BASE_TYPE_MAX_LENGTH",
    ],
    [
      "a button without a custom id",
      { content: "x", components: [row({ type: 2, style: 1, label: "x" })] },
      "components.0.components.0.custom_id BASE_TYPE_REQUIRED",
    ],
    [
      "a link button without a URL",
      { content: "x", components: [row({ type: 2, style: 5, label: "x" })] },
      "components.0.components.0.url BASE_TYPE_REQUIRED",
    ],
    [
      "a label of 81 characters",
      { content: "x", components: [row(button("a", { label: "x".repeat(81) }))] },
      "components.0.components.0.label BASE_TYPE_MAX_LENGTH",
    ],
    [
      "six buttons in a row",
      { content: "x", components: [row(...["a", "b", "c", "d", "e", "f"].map((id) => button(id)))] },
      "components.0.components BASE_TYPE_MAX_LENGTH",
    ],
    [
      "six rows without V2",
      { content: "x", components: ["a", "b", "c", "d", "e", "f"].map((id) => row(button(id))) },
      "components BASE_TYPE_BAD_LENGTH",
    ],
    [
      "a menu with 26 options",
      {
        content: "x",
        components: [
          row({ type: 3, custom_id: "m", options: Array.from({ length: 26 }, (_, i) => option(`${i}`)) }),
        ],
      },
      "components.0.components.0.options BASE_TYPE_MAX_LENGTH",
    ],
    [
      "a menu whose maximum is below its minimum",
      {
        content: "x",
        components: [
          row({ type: 3, custom_id: "m", min_values: 2, max_values: 1, options: [option("a"), option("b")] }),
        ],
      },
      "components.0.components.0.max_values SELECT_COMPONENT_MAX_VALUES_INVALID",
    ],
    [
      "an empty gallery",
      { flags: V2, components: [{ type: 12, items: [] }] },
      "components.0.items BASE_TYPE_MIN_LENGTH",
    ],
    [
      "a picture that was not uploaded",
      { flags: V2, components: [{ type: 12, items: [{ media: { url: "attachment://a.png" } }] }] },
      "components.0.items.0.media.url UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND",
    ],
    [
      "a section without an accessory",
      { flags: V2, components: [{ type: 9, components: [text("x")] }] },
      "components.0.accessory BASE_TYPE_REQUIRED",
    ],
    [
      "allowed mentions with both parse and a list",
      { content: "x", allowed_mentions: { parse: ["users"], users: ["1"] } },
      "allowed_mentions.users MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE",
    ],
    ["a nonce of 26 characters", { content: "x", nonce: "n".repeat(26) }, "nonce BASE_TYPE_MAX_LENGTH"],
  ])("is refused with 50035 and the path of the error: %s", async (_name, body, place) => {
    await using scene = await openRawScene();
    const answer = await scene.api("POST", `/channels/${scene.general.id}/messages`, body);
    expect([answer.status, answer.json["code"]]).toEqual([400, 50_035]);
    expect(places(answer)).toContain(place);
    expect(scene.general.messages.size).toBe(0);
  });
});

describe("a request", () => {
  it("is refused with 401 if its token is wrong", async () => {
    await using scene = await openRawScene();
    const response = await fetch(`${scene.discord.baseUrl}/api/v10/users/@me`, {
      headers: { authorization: "Bot x" },
    });
    expect(response.status).toBe(401);
  });

  it("is refused with 404 and recorded if the sandbox does not have its route", async () => {
    await using scene = await openRawScene();
    expect((await scene.api("GET", "/guilds/1/bans")).status).toBe(404);
    expect(scene.discord.unknownRoutes).toEqual(["GET /guilds/1/bans"]);
  });

  it("is refused if it asks for the messages around another, which the sandbox does not support", async () => {
    await using scene = await openRawScene();
    const path = `/channels/${scene.general.id}/messages`;
    expect((await scene.api("GET", `${path}?before=1&limit=1`)).status).toBe(200);
    expect((await scene.api("GET", `${path}?around=1`)).json).toMatchObject({
      code: 50_035,
      errors: { around: expect.anything() },
    });
  });

  it("is refused with Discord's code if its target is unknown, another's or forbidden, or its message empty", async () => {
    await using scene = await openRawScene();
    const { general, staff } = scene.discord.community.channels;
    const hers = await scene.ada.say(general, "mine");
    staff.overwrites = [{ id: scene.discord.community.guild.id, kind: 0, allow: 0n, deny: 1n << 10n }];
    general.overwrites = [{ id: scene.discord.applicationId, kind: 1, allow: 0n, deny: 1n << 11n }];
    const asked = [
      ["POST", "/channels/1/messages", { content: "x" }],
      ["GET", `/channels/${general.id}/messages/1`],
      ["PATCH", `/channels/${general.id}/messages/${hers.id}`, { content: "x" }],
      ["POST", `/channels/${scene.discord.community.channels.trains.id}/messages`, {}],
      ["POST", `/channels/${staff.id}/messages`, { content: "x" }],
      ["POST", `/channels/${general.id}/messages`, { content: "x" }],
      ["GET", "/guilds/1"],
      ["POST", "/webhooks/1/nobody", { content: "x" }],
    ] as const;
    const codes: unknown[] = [];
    for (const [method, path, body] of asked) {
      codes.push((await scene.api(method, path, body)).json["code"]);
    }
    expect(codes).toEqual([10_003, 10_008, 50_005, 50_006, 50_001, 50_013, 10_004, 10_015]);
  });

  it("is refused with 50109 if it is not JSON, and with 40005 if its file is too large", async () => {
    await using scene = await openRawScene();
    const path = `/channels/${scene.general.id}/messages`;
    const garbage = await fetch(`${scene.discord.baseUrl}/api/v10${path}`, {
      method: "POST",
      headers: { authorization: `Bot ${scene.discord.token}`, "content-type": "application/json" },
      body: "{",
    });
    expect(await garbage.json()).toMatchObject({ code: 50_109 });
    scene.discord.settings.attachmentSizeLimitBytes = 10;
    const form = new FormData();
    form.append("files[0]", new Blob(["x".repeat(11)]), "a.txt");
    form.append("payload_json", "{}");
    const large = await scene.api("POST", path, form);
    expect([large.status, large.json["code"]]).toEqual([413, 40_005]);
  });

  it("with an enforced nonce returns the first message if it is repeated within minutes", async () => {
    await using scene = await openRawScene();
    const path = `/channels/${scene.general.id}/messages`;
    const body = { content: "slot 1", nonce: "slot-1", enforce_nonce: true };
    const first = await scene.api("POST", path, body);
    const second = await scene.api("POST", path, { ...body, content: "other" });
    expect(second.json).toMatchObject({ id: first.json["id"], content: "slot 1" });
    await scene.clock.advance(10 * 60_000);
    const third = await scene.api("POST", path, body);
    expect(third.json["id"]).not.toBe(first.json["id"]);
  });
});
