import { describe, expect, it } from "vitest";
import type { Answer } from "../../../sandbox/discord/actors/member-types.ts";
import { openRawScene, type RawScene } from "./raw-bot.ts";

const V2 = 1 << 15;

/** Runs /echo as Ada, and answers with the given callback. */
async function answered(scene: RawScene, body: object): Promise<Answer> {
  const { callback, ended } = await scene.interact();
  const { status, json } = await scene.api("POST", callback, body);
  expect([status, json]).toEqual([204, {}]);
  // The command was answered, so it did not end with an error.
  return (await ended) as Answer;
}

const modal = (...components: object[]) => ({
  type: 9,
  data: { custom_id: "form", title: "Form", components },
});
const label = (name: string, component: object) => ({ type: 18, label: name, component });
const options = [
  { label: "North", value: "n" },
  { label: "South", value: "s" },
];

describe("a member", () => {
  it("picks the user, channel or role that an option asks for, even if others have the same name", async () => {
    await using scene = await openRawScene();
    const { discord, general, ada, socket, api } = scene;
    const { guild, channels } = discord.community;
    const person = discord.addUser("staff").id;
    const role = discord.addRole(guild, { name: "staff", permissions: 8n, memberIds: [] });
    await api("PUT", `/applications/${discord.applicationId}/commands`, [
      {
        name: "pick",
        description: "Picks",
        options: [
          { type: 6, name: "user", description: "u" },
          { type: 7, name: "channel", description: "c" },
          { type: 8, name: "role", description: "r" },
          { type: 9, name: "either", description: "e" },
          { type: 3, name: "text", description: "t", autocomplete: true },
        ],
      },
    ]);
    const command = async (run: Promise<unknown>, nonce: string) => {
      run.catch(() => {});
      const { d } = await socket.until((frame) => JSON.stringify(frame.d).includes(nonce));
      // The assertions below check the shape.
      return d["data"] as { options: { value: unknown }[]; resolved?: { roles: Record<string, object> } };
    };
    const names = { user: "staff", channel: "staff", role: "staff", either: role };
    const run = await command(ada.slash(general, "pick", { ...names, text: "words 1" }), "words 1");
    expect(run.options.map(({ value }) => value)).toEqual([person, channels.staff.id, role, role, "words 1"]);
    expect(run.resolved?.roles[role]).toMatchObject({ permissions: "8", managed: false });
    await expect(ada.slash(general, "pick", { channel: "Ada" })).rejects.toThrow("no channel Ada here");
    await expect(ada.slash(general, "pick", { user: "general" })).rejects.toThrow("no user general here");

    const typed = { channel: channels.staff, text: "words 2" };
    const asked = await command(ada.complete(general, "pick", typed, "text"), "words 2");
    expect(asked.options.map(({ value }) => value)).toEqual([channels.staff.id, "words 2"]);
  });

  it("uses a message's menu, which the answer's metadata names", async () => {
    await using scene = await openRawScene();
    const { discord, general, ada, socket, api } = scene;
    await api("PUT", `/applications/${discord.applicationId}/commands`, [{ name: "Look", type: 3 }]);
    const used = ada.menu(await ada.say(general, "hello"), "Look");
    const { d } = await socket.until(({ t }) => t === "INTERACTION_CREATE");
    const callback = `/interactions/${String(d["id"])}/${String(d["token"])}/callback?with_response=true`;
    const { json } = await api("POST", callback, { type: 4, data: { content: "seen" } });
    await used;
    expect(json).toMatchObject({
      resource: { message: { interaction_metadata: { name: "Look", command_type: 3 } } },
    });
  });

  it("cannot press a button that is disabled, a link or missing", async () => {
    await using scene = await openRawScene();
    const buttons = [
      { type: 2, style: 1, label: "Off", custom_id: "off", disabled: true },
      { type: 2, style: 5, label: "Away", url: "https://example.org" },
    ];
    const answer = await answered(scene, {
      type: 4,
      data: { content: "x", components: [{ type: 1, components: buttons }] },
    });
    await expect(scene.ada.click(answer.message, "Off")).rejects.toThrow("disabled");
    await expect(scene.ada.click(answer.message, "Away")).rejects.toThrow("link");
    await expect(scene.ada.click(answer.message, "Gone")).rejects.toThrow("no button Gone: Off, Away");
    expect(answer.button("Off")["custom_id"]).toBe("off");
  });

  it("cannot press a button of another person's ephemeral message or of a dismissed one", async () => {
    await using scene = await openRawScene();
    const components = [{ type: 1, components: [{ type: 2, style: 1, label: "Go", custom_id: "go" }] }];
    const answer = await answered(scene, { type: 4, data: { content: "x", components, flags: 64 } });
    await expect(scene.discord.member("Alan").click(answer.message, "Go")).rejects.toThrow("does not see");
    scene.ada.dismiss(answer.message);
    expect(scene.ada.messages(scene.general)).toEqual([]);
    await expect(scene.ada.click(answer.message, "Go")).rejects.toThrow("Unknown Message");
  });

  it("cannot see or write in a channel if their roles do not allow it", async () => {
    await using scene = await openRawScene();
    const { staff, news } = scene.discord.community.channels;
    const alan = scene.discord.member("Alan");
    expect(() => alan.messages(staff)).toThrow("Alan does not see staff");
    await expect(alan.say(news, "hello")).rejects.toThrow("may not write");
    await scene.discord.member("Grace").say(staff, "hello");
    expect(scene.discord.transcript(staff)).toEqual(["Grace:", "  hello"]);
  });

  it("fills in the text, menu and file fields of a form, as Discord sends them", async () => {
    await using scene = await openRawScene();
    const opened = await answered(
      scene,
      modal(
        label("Name", { type: 4, custom_id: "name", style: 1, value: "Ada" }),
        label("Side", { type: 3, custom_id: "side", options }),
        label("End", {
          type: 3,
          custom_id: "end",
          options: options.map((one) => ({ ...one, default: one.value === "s" })),
        }),
        label("File", { type: 19, custom_id: "file" }),
      ),
    );
    const file = { name: "a.txt", bytes: Buffer.from("hello") };
    void scene.ada.submit(opened, { Side: ["South"], File: [file] }).catch(() => undefined);
    const { d } = await scene.socket.until((frame) => frame.d?.["type"] === 5);
    const data = d["data"];
    expect(data).toMatchObject({
      custom_id: "form",
      components: [
        { type: 18, component: { type: 4, custom_id: "name", value: "Ada" } },
        { component: { type: 3, values: ["s"] } },
        { component: { type: 3, custom_id: "end", values: ["s"] } },
        { component: { type: 19, values: [expect.stringMatching(/^\d+$/)] } },
      ],
    });
    expect(JSON.stringify(data)).toContain("a.txt");
  });

  it("cannot submit a form with a missing, unknown or too long field, or another member's form", async () => {
    await using scene = await openRawScene();
    const opened = await answered(
      scene,
      modal(label("Name", { type: 4, custom_id: "name", style: 1, max_length: 3 })),
    );
    await expect(scene.ada.submit(opened, {})).rejects.toThrow("1 to 3");
    await expect(scene.ada.submit(opened, { Name: "long" })).rejects.toThrow("1 to 3");
    await expect(scene.ada.submit(opened, { Nome: "x" })).rejects.toThrow("no field Nome");
    await expect(scene.discord.member("Alan").submit(opened, { Name: "x" })).rejects.toThrow("no such form");
  });

  it("gets a clear error if the bot does not answer or is not logged in", async () => {
    await using scene = await openRawScene();
    const silent = scene.ada.slash(scene.general, "echo", {}, { deadlineMs: 20 });
    await expect(silent).rejects.toThrow("not been acknowledged within 20 ms");
    scene.discord.gateway.invalidate(false);
    await expect(scene.ada.slash(scene.general, "echo")).rejects.toThrow("no bot is logged in");
  });
});

describe("a form that the bot opens", () => {
  it.each<[string, object[], object]>([
    [
      "six components",
      Array.from({ length: 6 }, (_, i) => label(`l${i}`, { type: 4, custom_id: `${i}`, style: 1 })),
      {},
    ],
    ["no components", [], {}],
    ["a button", [{ type: 2, style: 1, label: "x", custom_id: "x" }], { 0: {} }],
    [
      "a label of 46 characters",
      [label("x".repeat(46), { type: 4, custom_id: "a", style: 1 })],
      { 0: { label: {} } },
    ],
    [
      "a disabled field",
      [label("x", { type: 3, custom_id: "a", options, disabled: true })],
      { 0: { component: { disabled: {} } } },
    ],
    [
      "a required menu whose minimum is 0",
      [label("x", { type: 3, custom_id: "a", options, min_values: 0 })],
      { 0: { component: { min_values: {} } } },
    ],
    [
      "the same custom id twice",
      [label("x", { type: 4, custom_id: "a", style: 1 }), label("y", { type: 4, custom_id: "a", style: 1 })],
      { 1: { component: { custom_id: {} } } },
    ],
  ])("is refused with %s", async (_name, components, where) => {
    await using scene = await openRawScene();
    const { callback } = await scene.interact();
    const { status, json } = await scene.api("POST", callback, modal(...components));
    expect(status).toBe(400);
    expect(json).toMatchObject({ code: 50_035, errors: { data: { components: where } } });
  });
});

describe("a transcript", () => {
  it("has a line for each component, and ephemeral messages only for their recipient", async () => {
    await using scene = await openRawScene();
    const { general, ada, discord } = scene;
    await ada.say(general, "hello");
    await answered(scene, {
      type: 4,
      data: {
        flags: V2 | 64,
        components: [
          {
            type: 17,
            components: [
              { type: 10, content: "# York\nfine" },
              { type: 14 },
              {
                type: 1,
                components: [{ type: 2, style: 1, label: "Go", emoji: { name: "🔁" }, custom_id: "go" }],
              },
              { type: 1, components: [{ type: 3, custom_id: "m", placeholder: "Pick", options }] },
            ],
          },
        ],
      },
    });
    expect(discord.transcript(general, ada)).toEqual([
      "Ada:",
      "  hello",
      "Signalbox (Ada used /echo; only they see this):",
      "  # York",
      "  fine",
      "  ---",
      "  [🔁 Go]",
      "  <Pick v>",
    ]);
    expect(discord.transcript(general)).toEqual(["Ada:", "  hello"]);
  });
});
