import { describe, expect, it } from "vitest";
import { openRawScene } from "./raw-bot.ts";

const command = (more: object) => ({ name: "board", description: "Boards", ...more });
const option = (more: object) => ({ type: 3, name: "station", description: "Which", ...more });

describe("registering commands", () => {
  it.each<[string, object, object]>([
    ["a name with a space", command({ name: "my board" }), { name: {} }],
    ["an upper-case name", command({ name: "Board" }), { name: {} }],
    ["a command without a description", { name: "board" }, { description: {} }],
    [
      "two options of the same name",
      command({ options: [option({}), option({})] }),
      { options: { 1: { name: {} } } },
    ],
    [
      "a required option after an optional one",
      command({ options: [option({}), option({ name: "to", required: true })] }),
      { options: { 1: {} } },
    ],
    [
      "choices with autocomplete",
      command({ options: [option({ autocomplete: true, choices: [{ name: "a", value: "a" }] })] }),
      { options: { 0: { autocomplete: {} } } },
    ],
    [
      "26 choices",
      command({
        options: [
          option({ choices: Array.from({ length: 26 }, (_, i) => ({ name: `${i}`, value: `${i}` })) }),
        ],
      }),
      { options: { 0: { choices: {} } } },
    ],
    [
      "more than 8,000 characters",
      command({
        options: Array.from({ length: 5 }, (_, i) =>
          option({
            name: `o${i}`,
            choices: Array.from({ length: 20 }, (_each, j) => ({
              name: `${j}`.padEnd(50, "x"),
              value: `${j}`.padEnd(50, "y"),
            })),
          }),
        ),
      }),
      {},
    ],
  ])("refuses %s", async (_name, body, where) => {
    await using scene = await openRawScene();
    const path = `/applications/${scene.discord.applicationId}/commands`;
    const { status, json } = await scene.api("PUT", path, [body]);
    expect(status).toBe(400);
    expect(json).toMatchObject({ code: 50_035, errors: { 0: where } });
    expect(scene.ada.commands(scene.general).map(({ name }) => name)).toEqual(["echo"]);
  });

  it("refuses 101 commands, and two of the same name", async () => {
    await using scene = await openRawScene();
    const path = `/applications/${scene.discord.applicationId}/commands`;
    const many = Array.from({ length: 101 }, (_, i) => command({ name: `c${i}` }));
    expect((await scene.api("PUT", path, many)).json["code"]).toBe(30_032);
    expect((await scene.api("PUT", path, [command({}), command({})])).json["code"]).toBe(50_035);
  });

  it("keeps the id of a command that is registered again", async () => {
    await using scene = await openRawScene();
    const path = `/applications/${scene.discord.applicationId}/commands`;
    const [first] = Object.values((await scene.api("PUT", path, [command({})])).json);
    const [second] = Object.values((await scene.api("PUT", path, [command({ description: "New" })])).json);
    expect(second).toMatchObject({ id: (first as { id: string }).id, description: "New" });
  });
});

describe("the commands that a member is offered", () => {
  it("depend on the default permission, then on the guild's own permissions", async () => {
    await using scene = await openRawScene();
    const { discord, general } = scene;
    const path = `/applications/${discord.applicationId}/commands`;
    await scene.api("POST", path, command({ default_member_permissions: String(1 << 5) }));
    const offered = () =>
      ["Ada", "Grace", "Alan"].filter((name) =>
        discord
          .member(name)
          .commands(general)
          .some((one) => one.name === "board"),
      );
    expect(offered()).toEqual(["Ada", "Grace"]);
    await expect(discord.member("Alan").slash(general, "board")).rejects.toThrow("Alan may not use board");

    const registered = [...discord.state.commands.values()].find(({ name }) => name === "board");
    if (registered === undefined) {
      throw new Error("the command is not registered");
    }
    const { guild } = discord.community;
    discord.setCommandPermissions(guild, registered, [
      { id: discord.member("Alan").id, kind: 2, allow: true },
      { id: discord.member("Grace").id, kind: 2, allow: false },
    ]);
    expect(offered()).toEqual(["Ada", "Alan"]);
    const event = await scene.socket.until(({ t }) => t === "APPLICATION_COMMAND_PERMISSIONS_UPDATE");
    expect(event.d["id"]).toBe(registered.id);
    const read = await scene.api(
      "GET",
      `/applications/${discord.applicationId}/guilds/${guild.id}/commands/${registered.id}/permissions`,
    );
    expect(read.json["permissions"]).toHaveLength(2);
  });

  it("exclude commands for guilds only in direct messages", async () => {
    await using scene = await openRawScene();
    await scene.api(
      "POST",
      `/applications/${scene.discord.applicationId}/commands`,
      command({ contexts: [0] }),
    );
    expect(scene.ada.commands(scene.ada.dm()).map(({ name }) => name)).toEqual(["echo"]);
  });
});

describe("a member's client", () => {
  it("refuses input that does not fit the command, and sends nothing", async () => {
    await using scene = await openRawScene();
    const { ada, general, discord } = scene;
    const options = [
      { type: 1, name: "add", description: "Adds", options: [option({ required: true, max_length: 3 })] },
    ];
    await scene.api("POST", `/applications/${discord.applicationId}/commands`, command({ options }));
    await expect(ada.slash(general, "bord")).rejects.toThrow("there is no bord");
    await expect(ada.slash(general, "board")).rejects.toThrow("no subcommand");
    await expect(ada.slash(general, "board add")).rejects.toThrow("needs station");
    await expect(ada.slash(general, "board add", { station: "York" })).rejects.toThrow(
      "station must be at most 3 characters long",
    );
    await expect(ada.slash(general, "board add", { rows: 3 })).rejects.toThrow("no option rows");
    expect(scene.socket.frames.some(({ t }) => t === "INTERACTION_CREATE")).toBe(false);
  });
});
