import { describe, expect, it } from "vitest";
import { outcome, places } from "../places.ts";
import { openRawScene } from "../raw-bot.ts";

const V2 = 1 << 15;
const text = { type: 10, content: "x" };
const button = { type: 2, style: 1, label: "Go", custom_id: "go" };
const row = (...components: object[]) => ({ type: 1, components });
const option = (value: string, more: object = {}) => ({ label: value, value, ...more });
const menu = (more: object = {}) => ({
  type: 3,
  custom_id: "m",
  options: [option("a"), option("b")],
  ...more,
});
const image = (more: object = {}) => ({ media: { url: "https://example.org/a.png" }, ...more });
const v2 = (...components: object[]) => ({ flags: V2, components });
const legacy = (...components: object[]) => ({ content: "x", components: [row(...components)] });

const CHOICE = "components.0.components.0";

describe("valid components", () => {
  it.each<[string, object]>([
    [
      "a container with everything it can contain",
      v2({
        type: 17,
        accent_color: 0xffffff,
        components: [
          row(button),
          { type: 9, components: [text], accessory: { type: 11, ...image() } },
          text,
          { type: 12, items: [image()] },
          { type: 14, spacing: 2 },
        ],
      }),
    ],
    [
      "a menu with as many defaults as its maximum",
      legacy(
        menu({ max_values: 2, options: [option("a", { default: true }), option("b", { default: true })] }),
      ),
    ],
    [
      "a link button with only an emoji",
      legacy({ type: 2, style: 5, url: "https://example.org", emoji: { name: "🔁" } }),
    ],
    [
      "a button with a server's own emoji",
      legacy({ type: 2, style: 1, custom_id: "x", emoji: { id: "1", name: "blob" } }),
    ],
    ["the id 0 twice", v2({ ...text, id: 0 }, { ...text, id: 7 }, { ...text, id: 0 })],
    ["a gallery of ten pictures", v2({ type: 12, items: Array.from({ length: 10 }, () => image()) })],
  ])("are accepted: %s", async (_name, body) => {
    await using scene = await openRawScene();
    const answer = await scene.api("POST", `/channels/${scene.general.id}/messages`, body);
    expect([answer.status, places(answer)]).toEqual([200, []]);
  });
});

describe("invalid components", () => {
  it.each<[string, object, string]>([
    ["an unknown type", v2({ type: 99 }), "components.0.type UNION_TYPE_CHOICES"],
    [
      "a container in a container",
      v2({ type: 17, components: [{ type: 17, components: [text] }] }),
      `${CHOICE}.type UNION_TYPE_CHOICES`,
    ],
    [
      "a label, which is for forms",
      v2({ type: 18, label: "x", component: menu() }),
      "components.0.type UNION_TYPE_CHOICES",
    ],
    ["a blank text", v2({ ...text, content: " \n" }), "components.0.content BASE_TYPE_MIN_LENGTH"],
    [
      "a word as an emoji",
      legacy({ type: 2, style: 1, label: "x", custom_id: "x", emoji: { name: "train" } }),
      `${CHOICE}.emoji.name COMPONENT_INVALID_EMOJI`,
    ],
    ["an empty container", v2({ type: 17, components: [] }), "components.0.components BASE_TYPE_MIN_LENGTH"],
    [
      "a colour beyond white",
      v2({ type: 17, accent_color: 0x1000000, components: [text] }),
      "components.0.accent_color NUMBER_TYPE_MAX",
    ],
    [
      "four texts in a section",
      v2({ type: 9, components: [text, text, text, text], accessory: button }),
      "components.0.components BASE_TYPE_MAX_LENGTH",
    ],
    [
      "a gallery of eleven pictures",
      v2({ type: 12, items: Array.from({ length: 11 }, () => image()) }),
      "components.0.items BASE_TYPE_MAX_LENGTH",
    ],
    [
      "an alternative text of 1,025 characters",
      v2({ type: 12, items: [image({ description: "x".repeat(1025) })] }),
      "components.0.items.0.description BASE_TYPE_MAX_LENGTH",
    ],
    [
      "a file that is not an attachment",
      v2({ type: 13, file: { url: "https://example.org/a" } }),
      "components.0.file.url STRING_TYPE_REGEX",
    ],
    ["a spacing of three", v2({ type: 14, spacing: 3 }), "components.0.spacing NUMBER_TYPE_MAX"],
    [
      "the same id twice",
      v2({ ...text, id: 7 }, { ...text, id: 7 }),
      "components.1.id COMPONENT_ID_DUPLICATED",
    ],
    [
      "a button and a menu in one row",
      legacy(button, menu()),
      "components.0.components COMPONENT_LAYOUT_WIDTH_EXCEEDED",
    ],
    [
      "a link with a custom id",
      legacy({ type: 2, style: 5, label: "x", url: "https://example.org", custom_id: "x" }),
      `${CHOICE}.custom_id BUTTON_CUSTOM_ID_FORBIDDEN`,
    ],
    [
      "a link of 513 characters",
      legacy({ type: 2, style: 5, label: "x", url: `https://example.org/${"x".repeat(493)}` }),
      `${CHOICE}.url BASE_TYPE_MAX_LENGTH`,
    ],
    [
      "a placeholder of 151 characters",
      legacy(menu({ placeholder: "x".repeat(151) })),
      `${CHOICE}.placeholder BASE_TYPE_MAX_LENGTH`,
    ],
    [
      "the same option value twice",
      legacy(menu({ options: [option("a"), option("a")] })),
      `${CHOICE}.options.1.value SELECT_COMPONENT_OPTION_VALUE_DUPLICATED`,
    ],
    [
      "more defaults than the maximum",
      legacy(menu({ options: [option("a", { default: true }), option("b", { default: true })] })),
      `${CHOICE}.options SELECT_COMPONENT_TOO_MANY_DEFAULT_VALUES`,
    ],
    [
      "fewer options than the maximum",
      legacy(menu({ max_values: 3 })),
      `${CHOICE}.options SELECT_COMPONENT_OPTIONS_TOO_FEW`,
    ],
  ])("are refused with 50035 and the path of the error: %s", async (_name, body, place) => {
    await using scene = await openRawScene();
    const refused = await scene.api("POST", `/channels/${scene.general.id}/messages`, body);
    expect(outcome(refused)).toEqual([400, 50_035]);
    expect(places(refused)).toContain(place);
  });
});

describe("a field that the sandbox does not support", () => {
  it.each<[string, object]>([
    ["embeds", { embeds: [{ title: "t" }] }],
    ["sticker_ids", { sticker_ids: ["1"] }],
    ["poll", { poll: { question: { text: "?" } } }],
    ["message_reference.type", { message_reference: { type: 1, message_id: "1", channel_id: "1" } }],
  ])("is refused: %s", async (place, more) => {
    await using scene = await openRawScene();
    const path = `/channels/${scene.general.id}/messages`;
    const refused = await scene.api("POST", path, { content: "x", ...more });
    expect(outcome(refused)).toEqual([400, 50_035]);
    expect(places(refused)[0]).toMatch(new RegExp(`^${place} `));
  });
});

describe("an edit of a message", () => {
  it("must remove content and embeds to turn it into V2, and cannot turn it back", async () => {
    await using scene = await openRawScene();
    const base = `/channels/${scene.general.id}/messages`;
    const { json } = await scene.api("POST", base, { content: "x" });
    const path = `${base}/${String(json["id"])}`;
    const kept = await scene.api("PATCH", path, v2(text));
    expect(places(kept)).toEqual(["content MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2"]);
    const turned = await scene.api("PATCH", path, { ...v2(text), content: null, embeds: [] });
    expect(turned.json["flags"]).toBe(V2);
    const back = await scene.api("PATCH", path, { flags: 0, components: [{ type: 10, content: "y" }] });
    expect(back.json["flags"]).toBe(V2);
    expect(places(await scene.api("PATCH", path, { flags: 0, content: "back" }))).toEqual([
      "content MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2",
    ]);
  });

  it("can change SUPPRESS_EMBEDS, but not EPHEMERAL or SUPPRESS_NOTIFICATIONS", async () => {
    await using scene = await openRawScene();
    const base = `/channels/${scene.general.id}/messages`;
    const { json } = await scene.api("POST", base, { content: "x", flags: 1 << 12 });
    expect(json["flags"]).toBe(1 << 12);
    const path = `${base}/${String(json["id"])}`;
    const edited = await scene.api("PATCH", path, { content: "y", flags: (1 << 2) | (1 << 6) });
    expect(edited.json["flags"]).toBe((1 << 12) | (1 << 2));
    expect((await scene.api("PATCH", path, { flags: 0 })).json["flags"]).toBe(1 << 12);
  });
});

describe("a form", () => {
  const label = (component: object, more: object = {}) => ({ type: 18, label: "L", component, ...more });
  const input = (more: object = {}) => ({ type: 4, custom_id: "t", style: 1, ...more });
  const upload = (more: object = {}) => ({ type: 19, custom_id: "f", ...more });
  const PART = "data.components.0.component";

  it.each<[string, object, string | undefined]>([
    ["with a menu", label(menu({ min_values: 0, required: false })), undefined],
    ["with a text input", label(input({ min_length: 2, max_length: 3, value: "abc" })), undefined],
    [
      "with an upload of up to ten files",
      label(upload({ min_values: 1, max_values: 10, file_types: [".png"] })),
      undefined,
    ],
    ["with a text display", text, undefined],
    [
      "with an upload of up to eleven files",
      label(upload({ max_values: 11 })),
      `${PART}.max_values NUMBER_TYPE_MAX`,
    ],
    [
      "with an upload whose minimum exceeds its maximum",
      label(upload({ min_values: 2 })),
      `${PART}.max_values SELECT_COMPONENT_MAX_VALUES_INVALID`,
    ],
    [
      "with file types without dots",
      label(upload({ file_types: ["png"] })),
      `${PART}.file_types.0 STRING_TYPE_REGEX`,
    ],
    [
      "with a value longer than its maximum",
      label(input({ max_length: 2, value: "abc" })),
      `${PART}.value BASE_TYPE_MAX_LENGTH`,
    ],
    [
      "with a minimum length above the maximum",
      label(input({ min_length: 3, max_length: 2 })),
      `${PART}.max_length NUMBER_TYPE_MIN`,
    ],
    [
      "with a placeholder of 101 characters",
      label(input({ placeholder: "x".repeat(101) })),
      `${PART}.placeholder BASE_TYPE_MAX_LENGTH`,
    ],
    [
      "with a required menu whose minimum is 0",
      label(menu({ min_values: 0 })),
      `${PART}.min_values NUMBER_TYPE_MIN`,
    ],
    [
      "with a menu that has the field disabled",
      label(menu({ disabled: false })),
      `${PART}.disabled MODAL_DISABLED`,
    ],
    ["with a button in a label", label(button), `${PART}.type UNION_TYPE_CHOICES`],
    [
      "with a description of 101 characters",
      label(input(), { description: "x".repeat(101) }),
      "data.components.0.description BASE_TYPE_MAX_LENGTH",
    ],
  ])("is checked %s", async (_name, component, place) => {
    await using scene = await openRawScene();
    const { callback } = await scene.interact();
    const data = { custom_id: "form", title: "Form", components: [component] };
    const answer = await scene.api("POST", callback, { type: 9, data });
    expect(places(answer)).toEqual(place === undefined ? [] : [place]);
    expect(answer.status).toBe(place === undefined ? 204 : 400);
  });

  it.each<[object, string | undefined]>([
    [{ title: "x".repeat(45) }, undefined],
    [{ title: "x".repeat(46) }, "data.title BASE_TYPE_MAX_LENGTH"],
    [{ custom_id: "x".repeat(101) }, "data.custom_id BASE_TYPE_MAX_LENGTH"],
    [{ components: [] }, "data.components BASE_TYPE_MIN_LENGTH"],
    [{ components: Array.from({ length: 6 }, () => text) }, "data.components BASE_TYPE_MAX_LENGTH"],
  ])("is checked as a whole: %o", async (more, place) => {
    await using scene = await openRawScene();
    const { callback } = await scene.interact();
    const data = { custom_id: "form", title: "Form", components: [text], ...more };
    const answer = await scene.api("POST", callback, { type: 9, data });
    expect(places(answer)).toEqual(place === undefined ? [] : [place]);
  });
});

describe("a callback", () => {
  const choices = { choices: [] };
  const content = { content: "x" };
  const form = { custom_id: "f", title: "F", components: [text] };
  const DATA: Readonly<Record<number, object>> = { 4: content, 7: content, 8: choices, 9: form };

  it.each<[string, number, readonly number[]]>([
    ["a command", 2, [4, 5, 9]],
    ["a button press", 3, [4, 5, 6, 7, 9]],
    ["autocomplete", 4, [8]],
    ["a form that a command opened", 5, [4, 5]],
  ])("is accepted only if its type suits %s", async (_name, kind, right) => {
    const types = [1, 4, 5, 6, 7, 8, 9, 10];
    const statuses = new Map<number, number>();
    for (const type of types) {
      await using scene = await openRawScene();
      const path = `/applications/${scene.discord.applicationId}/commands`;
      const options = [{ type: 3, name: "a", description: "A", autocomplete: true }];
      await scene.api("PUT", path, [{ name: "echo", description: "E", options }]);
      const callback = await openInteraction(scene, kind);
      const { status } = await scene.api("POST", callback, { type, data: DATA[type] ?? {} });
      statuses.set(type, status);
    }
    const expected = types.map((type): [number, number] => [type, right.includes(type) ? 204 : 400]);
    expect([...statuses]).toEqual(expected);
  });

  async function openInteraction(
    scene: Awaited<ReturnType<typeof openRawScene>>,
    kind: number,
  ): Promise<string> {
    const latest = () => {
      const d = scene.socket.frames.findLast(({ t }) => t === "INTERACTION_CREATE")?.d;
      return `/interactions/${String(d?.["id"])}/${String(d?.["token"])}/callback`;
    };
    const arrived = () => scene.socket.until(({ d }) => d?.["type"] === kind && "token" in d);
    if (kind === 4) {
      void scene.ada.complete(scene.general, "echo", { a: "x" }, "a").catch(() => undefined);
      await arrived();
      return latest();
    }
    const { callback, ended } = await scene.interact();
    if (kind === 2) {
      return callback;
    }
    if (kind === 3) {
      await scene.api("POST", callback, { type: 4, data: legacy(button) });
      const [message] = scene.ada.messages(scene.general);
      void (message && scene.ada.click(message, "Go").catch(() => undefined));
    } else {
      const fields = [{ type: 18, label: "L", component: { type: 4, custom_id: "t", style: 1 } }];
      await scene.api("POST", callback, { type: 9, data: { ...form, components: fields } });
      // The form was just opened, so the command ended with it.
      const answer = (await ended) as Parameters<typeof scene.ada.submit>[0];
      void scene.ada.submit(answer, { L: "x" }).catch(() => undefined);
    }
    await arrived();
    return latest();
  }
});
