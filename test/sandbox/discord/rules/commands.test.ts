import { describe, expect, it } from "vitest";
import { outcome, places } from "../places.ts";
import { startThread } from "../../../../sandbox/discord/rules/threads.ts";
import { openRawScene } from "../raw-bot.ts";

const command = (more: object = {}) => ({ name: "board", description: "Boards", ...more });
const option = (more: object = {}) => ({ type: 3, name: "station", description: "Which", ...more });
const sub = (more: object = {}) => option({ type: 1, name: "add", ...more });
const OPTIONS = "0.options.0";

describe("a valid registration", () => {
  it.each<[string, object]>([
    [
      "with groups, subcommands and options",
      command({ options: [sub({ type: 2, options: [sub({ options: [option()] })] })] }),
    ],
    [
      "with choices of each type",
      command({ options: [option({ type: 4, choices: [{ name: "one", value: 1 }] })] }),
    ],
    [
      "with length limits and autocomplete",
      command({ options: [option({ min_length: 3, max_length: 3, autocomplete: true })] }),
    ],
    ["with file types", command({ options: [option({ type: 11, file_types: ["image", ".heic"] })] })],
    ["as a menu with capitals and spaces", { type: 3, name: "Restyle picture" }],
  ])("is accepted %s", async (_name, body) => {
    await using scene = await openRawScene();
    const path = `/applications/${scene.discord.applicationId}/commands`;
    expect((await scene.api("PUT", path, [body])).status).toBe(200);
  });
});

describe("an invalid registration", () => {
  it.each<[string, object, string]>([
    [
      "a subcommand beside an option",
      command({ options: [sub(), option()] }),
      "0.options.1.type APPLICATION_COMMAND_OPTIONS_TYPE_INVALID",
    ],
    [
      "an option in a group",
      command({ options: [sub({ type: 2, options: [option()] })] }),
      `${OPTIONS}.options.0.type APPLICATION_COMMAND_OPTIONS_TYPE_INVALID`,
    ],
    [
      "a subcommand in a subcommand",
      command({ options: [sub({ options: [sub()] })] }),
      `${OPTIONS}.options.0.type APPLICATION_COMMAND_OPTIONS_TYPE_INVALID`,
    ],
    ["an empty group", command({ options: [sub({ type: 2 })] }), `${OPTIONS}.options BASE_TYPE_REQUIRED`],
    [
      "26 options",
      command({ options: Array.from({ length: 26 }, (_, i) => option({ name: `o${i}` })) }),
      "0.options BASE_TYPE_MAX_LENGTH",
    ],
    [
      "a choice of another type",
      command({ options: [option({ type: 4, choices: [{ name: "a", value: "a" }] })] }),
      `${OPTIONS}.choices.0.value BASE_TYPE_BAD_TYPE`,
    ],
    [
      "two choices of the same name",
      command({
        options: [
          option({
            choices: [
              { name: "a", value: "a" },
              { name: "a", value: "b" },
            ],
          }),
        ],
      }),
      `${OPTIONS}.choices.1.name APPLICATION_COMMAND_OPTIONS_CHOICE_NAME_ALREADY_EXISTS`,
    ],
    [
      "a field of another option type",
      command({ options: [option({ type: 5, max_length: 3 })] }),
      `${OPTIONS}.max_length APPLICATION_COMMAND_OPTIONS_FIELD_INVALID`,
    ],
    [
      "a maximum below its minimum",
      command({ options: [option({ type: 4, min_value: 3, max_value: 2 })] }),
      `${OPTIONS}.max_value NUMBER_TYPE_MIN`,
    ],
    [
      "eleven file types",
      command({
        options: [option({ type: 11, file_types: Array.from({ length: 11 }, (_, i) => `.a${i}`) })],
      }),
      `${OPTIONS}.file_types BASE_TYPE_MAX_LENGTH`,
    ],
    [
      "a file type without a dot",
      command({ options: [option({ type: 11, file_types: ["png"] })] }),
      `${OPTIONS}.file_types.0 STRING_TYPE_REGEX`,
    ],
    [
      "a localised name",
      command({ name_localizations: { de: "brett" } }),
      "0.name_localizations BASE_TYPE_BAD_TYPE",
    ],
    [
      "a description of 101 characters",
      command({ description: "x".repeat(101) }),
      "0.description BASE_TYPE_MAX_LENGTH",
    ],
    ["a menu with options", { type: 3, name: "Menu", options: [option()] }, "0.options BASE_TYPE_MAX_LENGTH"],
    [
      "a menu with a description",
      { type: 2, name: "Menu", description: "x" },
      "0.description BASE_TYPE_CHOICES",
    ],
    ["an entry point", { type: 4, name: "launch" }, "0.type BASE_TYPE_CHOICES"],
    ["an unknown context", command({ contexts: [3] }), "0.contexts.0 NUMBER_TYPE_MAX"],
  ])("is refused with 50035 and the path of the error: %s", async (_name, body, place) => {
    await using scene = await openRawScene();
    const path = `/applications/${scene.discord.applicationId}/commands`;
    const refused = await scene.api("PUT", path, [body]);
    expect(outcome(refused)).toEqual([400, 50_035]);
    expect(places(refused)).toContain(place);
  });
});

describe("new command names", () => {
  it("are limited to 200 a day (30034), not counting names that are sent again", async () => {
    await using scene = await openRawScene();
    const { discord } = scene;
    const path = `/applications/${discord.applicationId}/commands`;
    const batch = (letter: string, count: number) =>
      Array.from({ length: count }, (_, i) => command({ name: `${letter}${i}` }));
    // The scene has already registered one name, /echo.
    for (const names of [batch("a", 100), batch("a", 100), batch("b", 99), batch("b", 99)]) {
      expect((await scene.api("PUT", path, names)).status).toBe(200);
    }
    expect(outcome(await scene.api("PUT", path, batch("c", 1)))).toEqual([400, 30_034]);
    expect((await scene.api("PUT", path, batch("b", 98))).status).toBe(200);
    expect(outcome(await scene.api("POST", path, command()))).toEqual([400, 30_034]);
    await scene.clock.advance(86_400_000);
    expect((await scene.api("POST", path, command())).status).toBe(201);
  });

  it("are limited to 15 for a kind of menu (30032)", async () => {
    await using scene = await openRawScene();
    const path = `/applications/${scene.discord.applicationId}/commands`;
    const menus = (count: number) =>
      Array.from({ length: count }, (_, i) => ({ type: 3, name: `Menu ${i}` }));
    expect((await scene.api("PUT", path, menus(15))).status).toBe(200);
    expect(outcome(await scene.api("PUT", path, menus(16)))).toEqual([400, 30_032]);
    expect(outcome(await scene.api("POST", path, { type: 3, name: "Menu 15" }))).toEqual([400, 30_032]);
  });
});

describe("autocomplete choices", () => {
  const choices = (count: number, value: unknown = "v") =>
    Array.from({ length: count }, (_, i) => ({ name: `${i}`, value }));

  it.each<[string, object[], string | undefined]>([
    ["25 choices", choices(25), undefined],
    ["26 choices", choices(26), "data.choices BASE_TYPE_MAX_LENGTH"],
    [
      "a name of 101 characters",
      [{ name: "x".repeat(101), value: "v" }],
      "data.choices.0.name BASE_TYPE_MAX_LENGTH",
    ],
    ["a number for a text option", choices(1, 1), "data.choices.0.value BASE_TYPE_BAD_TYPE"],
  ])("are checked: %s", async (_name, offered, place) => {
    await using scene = await openRawScene();
    const { discord, general, ada, socket } = scene;
    const path = `/applications/${discord.applicationId}/commands`;
    await scene.api("POST", path, command({ options: [option({ autocomplete: true })] }));
    void ada.complete(general, "board", { station: "yo" }, "station").catch(() => undefined);
    const { d } = await socket.until(({ t }) => t === "INTERACTION_CREATE");
    const callback = `/interactions/${String(d["id"])}/${String(d["token"])}/callback`;
    const answer = await scene.api("POST", callback, { type: 8, data: { choices: offered } });
    expect(places(answer)).toEqual(place === undefined ? [] : [place]);
    expect(answer.status).toBe(place === undefined ? 204 : 400);
  });
});

describe("a file option", () => {
  it("accepts files by their name alone", async () => {
    await using scene = await openRawScene();
    const { discord, general, ada, socket } = scene;
    const image = option({ type: 11, name: "image", required: true, file_types: ["image", ".pdf"] });
    await scene.api("POST", `/applications/${discord.applicationId}/commands`, command({ options: [image] }));
    const send = (name: string) =>
      ada.slash(general, "board", { image: { name, bytes: Buffer.from("text") } });
    await expect(send("a.heic")).rejects.toThrow("takes image, .pdf only, not a.heic");
    void send("A.PNG").catch(() => undefined);
    const { d } = await socket.until(({ t }) => t === "INTERACTION_CREATE");
    expect(JSON.stringify(d["data"])).toContain('"filename":"A.PNG"');
  });

  it("has a link of its own kind that expires after a set time", async () => {
    await using scene = await openRawScene();
    const { discord, general, ada, socket } = scene;
    discord.settings.ephemeralFileLifeMs = 60_000;
    const path = `/applications/${discord.applicationId}/commands`;
    await scene.api("POST", path, command({ options: [option({ type: 11, name: "image" })] }));
    void ada
      .slash(general, "board", { image: { name: "a.txt", bytes: Buffer.from("hi") } })
      .catch(() => undefined);
    const { d } = await socket.until(({ t }) => t === "INTERACTION_CREATE");
    const [url = ""] = /http:[^"]+/.exec(JSON.stringify(d["data"])) ?? [];
    expect(url).toContain("/ephemeral-attachments/");
    expect((await fetch(url)).status).toBe(200);
    await scene.clock.advance(60_000);
    expect((await fetch(url)).status).toBe(404);
  });
});

describe("a channel option", () => {
  it("includes the permissions of the bot and the member in the channel", async () => {
    await using scene = await openRawScene();
    const { discord, general, ada, socket } = scene;
    const { news } = discord.community.channels;
    const path = `/applications/${discord.applicationId}/commands`;
    await scene.api("POST", path, command({ options: [option({ type: 7, name: "where" })] }));
    news.overwrites = [{ id: discord.applicationId, kind: 1, allow: 0n, deny: 1n << 11n }];
    void ada.slash(general, "board", { where: news }).catch(() => undefined);
    const { d } = await socket.until(({ t }) => t === "INTERACTION_CREATE");
    // Discord resolves the channel that the option contains.
    const { resolved } = d["data"] as { resolved: { channels: Record<string, Record<string, string>> } };
    const resolvedChannel = resolved.channels[news.id];
    const maySend = (bits: string | undefined) => (BigInt(bits ?? 0) & (1n << 11n)) !== 0n;
    expect([
      maySend(resolvedChannel?.["permissions"]),
      maySend(resolvedChannel?.["app_permissions"]),
    ]).toEqual([true, false]);
  });
});

describe("a channel option with channel types", () => {
  it("accepts only channels of these types, including threads", async () => {
    await using scene = await openRawScene();
    const { discord, general, ada, socket } = scene;
    const where = option({ type: 7, name: "where", required: true, channel_types: [0, 11] });
    await scene.api("POST", `/applications/${discord.applicationId}/commands`, command({ options: [where] }));
    startThread(discord.platform, general);
    const send = (name: string) => ada.slash(general, "board", { where: name });
    await expect(send("news")).rejects.toThrow("does not offer news");
    void send("delays").catch(() => undefined);
    const { d } = await socket.until(({ t }) => t === "INTERACTION_CREATE");
    expect(JSON.stringify(d["data"])).toContain('"name":"delays"');
  });
});

describe("a guild's permissions for a command", () => {
  it("are limited to 100", async () => {
    await using scene = await openRawScene();
    const { discord } = scene;
    const [echo] = discord.state.commands.values();
    const decide = (count: number) => () =>
      echo &&
      discord.setCommandPermissions(
        discord.community.guild,
        echo,
        Array.from({ length: count }, (_, i) => ({ id: String(i), kind: 2 as const, allow: true })),
      );
    expect(decide(100)).not.toThrow();
    expect(decide(101)).toThrow("100 permissions");
  });
});
