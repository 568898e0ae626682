import { describe, expect, it } from "vitest";
import { startThread } from "../../../sandbox/discord/rules/threads.ts";
import { openapiChecker } from "../../support/openapi-checker.ts";
import { openRawScene, type RawAnswer, type RawScene } from "./raw-bot.ts";

const V2 = 1 << 15;

interface CheckedScene extends RawScene {
  /** The problems found in the answers so far. */
  readonly findings: string[];
  readonly count: () => number;
}

async function openChecked(): Promise<CheckedScene> {
  const checker = openapiChecker();
  const scene = await openRawScene();
  const findings: string[] = [];
  let count = 0;
  return {
    ...scene,
    findings,
    count: () => count,
    async api(method, path, body): Promise<RawAnswer> {
      const answer = await scene.api(method, path, body);
      count += 1;
      const given = answer.status === 204 ? undefined : answer.json;
      const bare = path.split("?")[0] ?? path;
      findings.push(...checker.answerFindings({ method, path: bare, status: answer.status, body: given }));
      return answer;
    },
    [Symbol.asyncDispose]: () => scene[Symbol.asyncDispose](),
  };
}

function formOf(payload: object): FormData {
  const form = new FormData();
  form.append(
    "files[0]",
    new Blob([Buffer.from("89504e470d0a1a0a0000000d4948445200000003000000020000000000000000", "hex")]),
    "a.png",
  );
  form.append("payload_json", JSON.stringify(payload));
  return form;
}

const gallery = {
  flags: V2,
  attachments: [{ id: "0", description: "A board" }],
  components: [
    {
      type: 17,
      accent_color: 255,
      components: [
        { type: 10, content: "# York" },
        { type: 14, spacing: 2 },
        { type: 12, items: [{ media: { url: "attachment://a.png" }, description: "A board" }] },
        {
          type: 9,
          components: [{ type: 10, content: "x" }],
          accessory: { type: 2, style: 1, label: "Go", custom_id: "go" },
        },
        {
          type: 1,
          components: [{ type: 3, custom_id: "m", options: [{ label: "a", value: "a" }] }],
        },
      ],
    },
    { type: 13, file: { url: "attachment://a.png" } },
    {
      type: 9,
      components: [{ type: 10, content: "y" }],
      accessory: { type: 11, media: { url: "https://example.org/a.png" } },
    },
  ],
};

describe("the sandbox's answers", () => {
  it("match Discord's OpenAPI document for messages, files, components, replies and publishing", async () => {
    await using scene = await openChecked();
    const { news, trains } = scene.discord.community.channels;
    const base = `/channels/${trains.id}/messages`;
    const { json: first } = await scene.api("POST", base, formOf(gallery));
    const one = `${base}/${String(first["id"])}`;
    await scene.api("PATCH", one, { components: [{ type: 10, content: "y" }], attachments: [] });
    await scene.api("GET", one);
    await scene.api("POST", base, {
      content: "z",
      message_reference: { message_id: first["id"] },
      nonce: "n",
    });
    await scene.ada.attach(trains, "look", [{ name: "a.txt", bytes: Buffer.from("x") }]);
    await scene.api("GET", base);
    await scene.api("DELETE", one);
    const { json: post } = await scene.api("POST", `/channels/${news.id}/messages`, { content: "x" });
    await scene.api("POST", `/channels/${news.id}/messages/${String(post["id"])}/crosspost`);
    await scene.api("POST", `/channels/${trains.id}/typing`);
    expect(scene.findings).toEqual([]);
    expect(scene.count()).toBe(9);
  });

  it("match Discord's document for interactions and follow-ups", async () => {
    await using scene = await openChecked();
    const direct = await scene.interact();
    await scene.api("POST", `${direct.callback}?with_response=true`, { type: 4, data: { content: "x" } });
    const { callback, webhook } = await scene.interact();
    await scene.api("POST", callback, { type: 5, data: { flags: 64 } });
    await scene.api("GET", `${webhook}/messages/@original`);
    await scene.api("PATCH", `${webhook}/messages/@original`, formOf(gallery));
    const { json } = await scene.api("POST", `${webhook}?wait=true`, { content: "more", flags: 64 });
    await scene.api("PATCH", `${webhook}/messages/${String(json["id"])}`, { content: "less" });
    await scene.api("DELETE", `${webhook}/messages/${String(json["id"])}`);
    await scene.api("DELETE", `${webhook}/messages/@original`);
    expect(scene.findings).toEqual([]);
    expect(scene.count()).toBe(8);
  });

  it("match Discord's document for commands and their permissions", async () => {
    await using scene = await openChecked();
    const { guild } = scene.discord.community;
    const options = [
      { type: 3, name: "a", description: "A", required: true, choices: [{ name: "x", value: "y" }] },
      { type: 11, name: "file", description: "F", file_types: ["image"] },
    ];
    const path = `/applications/${scene.discord.applicationId}/commands`;
    await scene.api("PUT", path, [
      { name: "board", description: "Boards", options, default_member_permissions: "32" },
      { name: "Restyle", type: 3 },
    ]);
    await scene.api("GET", path);
    const { json } = await scene.api("POST", path, { name: "more", description: "More" });
    const one = `${path}/${String(json["id"])}`;
    await scene.api("PATCH", one, { description: "Other" });
    await scene.api("GET", one);
    await scene.api("DELETE", one);
    const [command] = scene.discord.state.commands.values();
    if (command !== undefined) {
      scene.discord.setCommandPermissions(guild, command, [{ id: guild.id, kind: 1, allow: true }]);
      const base = `/applications/${scene.discord.applicationId}/guilds/${guild.id}/commands`;
      await scene.api("GET", `${base}/permissions`);
      await scene.api("GET", `${base}/${command.id}/permissions`);
    }
    expect(scene.findings).toEqual([]);
    expect(scene.count()).toBe(8);
  });

  it("match Discord's document for guilds, channels, threads, people, the bot itself and the gateway", async () => {
    await using scene = await openChecked();
    const { guild } = scene.discord.community;
    const alan = scene.discord.member("Alan").id;
    const { id } = startThread(scene.discord.platform, scene.general);
    await scene.api("PATCH", `/channels/${id}`, { archived: false });
    await scene.api("GET", `/channels/${id}`);
    await scene.api("GET", `/channels/${scene.general.id}`);
    for (const path of ["", `/members/${alan}`]) {
      await scene.api("GET", `/guilds/${guild.id}${path}`);
    }
    await scene.api("GET", "/users/@me");
    await scene.api("GET", "/users/@me/guilds?limit=200");
    await scene.api("POST", "/users/@me/channels", { recipient_id: alan });
    for (const path of ["/applications/@me", "/gateway", "/gateway/bot"]) {
      await scene.api("GET", path);
    }
    expect(scene.findings).toEqual([]);
    expect(scene.count()).toBe(11);
  });

  it("match Discord's document for refusals", async () => {
    await using scene = await openChecked();
    const base = `/channels/${scene.general.id}/messages`;
    const statuses = [
      await scene.api("POST", base, {}),
      await scene.api("POST", base, { components: [{ type: 1, components: [{ type: 2, style: 9 }] }] }),
      await scene.api("GET", "/channels/1"),
      await scene.api("POST", "/webhooks/1/x", { content: "x" }),
      await scene.api("POST", "/interactions/1/x/callback", { type: 5 }),
    ].map(({ status }) => status);
    expect(statuses).toEqual([400, 400, 404, 404, 404]);
    expect(scene.findings).toEqual([]);
  });

  it("would fail this check with a wrong shape, an unknown status or an unexpected body", () => {
    const checker = openapiChecker();
    const path = "/channels/1/messages/2";
    expect(checker.answerFindings({ method: "GET", path, status: 200, body: { id: "2" } })).not.toEqual([]);
    expect(checker.answerFindings({ method: "GET", path, status: 302, body: {} })).toEqual([
      expect.stringContaining("not a status"),
    ]);
    expect(checker.answerFindings({ method: "DELETE", path, status: 204, body: {} })).toEqual([
      expect.stringContaining("has a body"),
    ]);
  });
});
