import { describe, expect, it } from "vitest";
import { outcome, places } from "../places.ts";
import { openRawScene, type RawScene } from "../raw-bot.ts";

const HOUR_MS = 3_600_000;

const messagesOf = (channel: { readonly id: string }) => `/channels/${channel.id}/messages`;

async function post(scene: RawScene, body: object, channel = scene.general): Promise<string> {
  const { status, json } = await scene.api("POST", messagesOf(channel), body);
  expect(status).toBe(200);
  return String(json["id"]);
}

function formOf(payload: object, ...names: readonly string[]): FormData {
  const form = new FormData();
  for (const [index, name] of names.entries()) {
    form.append(`files[${index}]`, new Blob([`bytes of ${name}`]), name);
  }
  form.append("payload_json", JSON.stringify(payload));
  return form;
}

describe("edits in a channel", () => {
  it("of messages older than an hour are accepted three times in six seconds, then refused with 30046", async () => {
    await using scene = await openRawScene();
    const ids = await Promise.all(["a", "b", "c", "d"].map((content) => post(scene, { content })));
    const edit = (id: string | undefined) =>
      scene.api("PATCH", `${messagesOf(scene.general)}/${id}`, { content: "new" });
    await scene.clock.advance(HOUR_MS + 1);
    for (const id of ids.slice(0, 3)) {
      expect((await edit(id)).status).toBe(200);
    }
    const refused = await edit(ids[3]);
    expect(outcome(refused)).toEqual([429, 30_046]);
    expect(refused.json).toMatchObject({ retry_after: 6, global: false });
    expect(refused.headers.get("retry-after")).toBe("6");
    await scene.clock.advance(6000);
    expect((await edit(ids[3])).status).toBe(200);
  });

  it("of younger messages are not limited", async () => {
    await using scene = await openRawScene();
    const id = await post(scene, { content: "a" });
    await scene.clock.advance(HOUR_MS);
    for (let turn = 0; turn < 5; turn += 1) {
      const edited = await scene.api("PATCH", `${messagesOf(scene.general)}/${id}`, { content: `${turn}` });
      expect(edited.status).toBe(200);
    }
  });
});

describe("publishing", () => {
  it("marks a message of an announcement channel, but only once", async () => {
    await using scene = await openRawScene();
    const { news } = scene.discord.community.channels;
    const path = `${messagesOf(news)}/${await post(scene, { content: "news" }, news)}/crosspost`;
    const published = await scene.api("POST", path);
    expect([published.status, Number(published.json["flags"]) & 1]).toEqual([200, 1]);
    expect(outcome(await scene.api("POST", path))).toEqual([400, 40_033]);
  });

  it("is refused with 50024 in other channels", async () => {
    await using scene = await openRawScene();
    const path = `${messagesOf(scene.general)}/${await post(scene, { content: "x" })}/crosspost`;
    expect(outcome(await scene.api("POST", path))).toEqual([400, 50_024]);
  });

  it("is accepted ten times an hour, and edits of a published message three times", async () => {
    await using scene = await openRawScene();
    const { news } = scene.discord.community.channels;
    const ids: string[] = [];
    for (let turn = 0; turn < 11; turn += 1) {
      ids.push(await post(scene, { content: `${turn}` }, news));
    }
    const publish = (id: string | undefined) => scene.api("POST", `${messagesOf(news)}/${id}/crosspost`);
    for (const id of ids.slice(0, 10)) {
      expect((await publish(id)).status).toBe(200);
    }
    expect((await publish(ids[10])).status).toBe(429);
    const edit = () => scene.api("PATCH", `${messagesOf(news)}/${ids[0]}`, { content: "new" });
    for (let turn = 0; turn < 3; turn += 1) {
      expect((await edit()).status).toBe(200);
    }
    expect(outcome(await edit())).toEqual([429, 20_022]);
    await scene.clock.advance(HOUR_MS);
    expect((await publish(ids[10])).status).toBe(200);
    expect((await edit()).status).toBe(200);
  });
});

describe("files", () => {
  it("get their name and description from the message's entries, each of which needs an upload", async () => {
    await using scene = await openRawScene();
    const path = messagesOf(scene.general);
    const entry = { id: "0", filename: "b.txt", description: "words", is_spoiler: true };
    const taken = await scene.api("POST", path, formOf({ attachments: [entry] }, "a.txt"));
    expect(taken.json["attachments"]).toMatchObject([{ filename: "b.txt", description: "words", flags: 8 }]);
    const refused = await scene.api("POST", path, formOf({ attachments: [{ id: "1" }] }, "a.txt"));
    expect(places(refused)).toEqual(["attachments.0.id ATTACHMENT_NOT_FOUND"]);
  });

  it("have a title if their name loses characters", async () => {
    await using scene = await openRawScene();
    const taken = await scene.api("POST", messagesOf(scene.general), formOf({}, "Tür 2.txt", "b c.txt"));
    expect(taken.json["attachments"]).toMatchObject([
      { filename: "Tur_2.txt", title: "Tür 2" },
      { filename: "b_c.txt" },
    ]);
    expect(JSON.stringify(taken.json).match(/"title"/g)).toHaveLength(1);
  });

  it("are not listed if components show them", async () => {
    await using scene = await openRawScene();
    const payload = { flags: 1 << 15, components: [{ type: 13, file: { url: "attachment://a.txt" } }] };
    const { json } = await scene.api("POST", messagesOf(scene.general), formOf(payload, "a.txt", "b.txt"));
    expect(json["attachments"]).toMatchObject([{ filename: "b.txt" }]);
    expect(scene.ada.messages(scene.general)[0]?.attachments).toHaveLength(2);
  });

  it("are limited to ten in a message, including earlier ones (30015)", async () => {
    await using scene = await openRawScene();
    const names = Array.from({ length: 10 }, (_, index) => `${index}.txt`);
    const first = await scene.api("POST", messagesOf(scene.general), formOf({}, ...names));
    expect(first.json["attachments"]).toHaveLength(10);
    const path = `${messagesOf(scene.general)}/${String(first.json["id"])}`;
    const { attachments } = first.json;
    expect(outcome(await scene.api("PATCH", path, formOf({ attachments }, "more.txt")))).toEqual([
      400, 30_015,
    ]);
    const replaced = await scene.api("PATCH", path, formOf({}, "more.txt"));
    expect(replaced.json["attachments"]).toMatchObject([{ filename: "more.txt" }]);
  });

  it("stay if the edit that removes them is refused", async () => {
    await using scene = await openRawScene();
    const first = await scene.api("POST", messagesOf(scene.general), formOf({ content: "x" }, "a.txt"));
    const path = `${messagesOf(scene.general)}/${String(first.json["id"])}`;
    expect((await scene.api("PATCH", path, { attachments: [], content: "x".repeat(2001) })).status).toBe(400);
    expect(outcome(await scene.api("PATCH", path, { attachments: [], content: "" }))).toEqual([400, 50_006]);
    const [file] = scene.ada.messages(scene.general)[0]?.attachments ?? [];
    expect(file && Buffer.from(await scene.ada.download(file)).toString()).toBe("bytes of a.txt");
  });

  it("of the bot can be refused (40005) below the limit that interactions state", async () => {
    await using scene = await openRawScene();
    scene.discord.settings.acceptedUploadBytes = 5;
    const path = messagesOf(scene.general);
    expect(outcome(await scene.api("POST", path, formOf({}, "a.txt")))).toEqual([413, 40_005]);
    expect(
      (await scene.ada.attach(scene.general, "", [{ name: "a", bytes: Buffer.alloc(6) }])).id,
    ).toBeTruthy();
  });

  it("are refused with 400001 if the guild's uploads are limited", async () => {
    await using scene = await openRawScene();
    scene.discord.community.guild.areUploadsLimited = true;
    const path = messagesOf(scene.general);
    expect(outcome(await scene.api("POST", path, formOf({ content: "x" }, "a.txt")))).toEqual([400, 400_001]);
    expect((await scene.api("POST", path, { content: "x" })).status).toBe(200);
  });

  it("get fresh links on request, for one to fifty files at once", async () => {
    await using scene = await openRawScene();
    const posted = await scene.ada.attach(scene.general, "", [{ name: "a.txt", bytes: Buffer.from("hi") }]);
    const url = posted.attachments[0]?.url ?? "";
    await scene.clock.advance(24 * HOUR_MS);
    expect((await fetch(url)).status).toBe(404);
    const refresh = (attachment_urls: readonly string[]) =>
      scene.api("POST", "/attachments/refresh-urls", { attachment_urls });
    const other = "https://example.org/attachments/1/2/a.txt";
    const { json } = await refresh([url, other]);
    expect(json).toEqual({
      refreshed_urls: [
        { original: url, refreshed: expect.stringContaining("/attachments/") },
        { original: other, refreshed: null },
      ],
    });
    // The assertion above has checked the first of two entries.
    const [{ refreshed }] = json["refreshed_urls"] as [{ refreshed: string }];
    expect(await (await fetch(refreshed)).text()).toBe("hi");
    expect(places(await refresh([]))).toEqual(["attachment_urls BASE_TYPE_MIN_LENGTH"]);
    const many = await refresh(Array.from({ length: 51 }, () => url));
    expect(places(many)).toEqual(["attachment_urls BASE_TYPE_MAX_LENGTH"]);
  });
});

describe("a nonce", () => {
  it("applies in all channels of its author, and not to answers to interactions", async () => {
    await using scene = await openRawScene();
    const body = { content: "once", nonce: "slot", enforce_nonce: true };
    const first = await post(scene, body);
    expect(await post(scene, body, scene.discord.community.channels.trains)).toBe(first);
    expect(await post(scene, { ...body, enforce_nonce: false })).not.toBe(first);
    const { callback, webhook } = await scene.interact();
    await scene.api("POST", callback, { type: 4, data: body });
    const followed = [await scene.api("POST", webhook, body), await scene.api("POST", webhook, body)];
    expect(new Set(followed.map(({ json }) => json["id"])).size).toBe(2);
  });
});

describe("pings", () => {
  it("follow the text unless allowed_mentions limits them, and an edit does not inherit the limit", async () => {
    await using scene = await openRawScene();
    const { discord, general } = scene;
    const grace = discord.member("Grace").id;
    const content = `<@${grace}> @everyone`;
    const quiet = await post(scene, { content, allowed_mentions: { parse: [] } });
    const pings = (id: string) => scene.ada.messages(general).find((message) => message.id === id)?.pings;
    expect(pings(quiet)).toEqual([]);
    await scene.api("PATCH", `${messagesOf(general)}/${quiet}`, { content: `${content}!` });
    expect(pings(quiet)).toEqual([grace]);
    const listed = await post(scene, { content, allowed_mentions: { users: [grace] } });
    expect(pings(listed)).toEqual([grace]);
  });

  it("of everyone and of roles need the permission", async () => {
    await using scene = await openRawScene();
    const { discord, general } = scene;
    const { guild } = discord.community;
    const role = [...guild.roles.values()].find(({ name }) => name === "Moderator")?.id ?? "";
    const send = async () =>
      (await scene.api("POST", messagesOf(general), { content: `<@&${role}> @here` })).json;
    expect(await send()).toMatchObject({ mention_everyone: false, mention_roles: [] });
    discord.addRole(guild, { name: "Loud", permissions: 1n << 17n, memberIds: [discord.applicationId] });
    expect(await send()).toMatchObject({ mention_everyone: true, mention_roles: [role] });
    expect(scene.ada.messages(general).map(({ pings }) => pings)).toEqual([[], [role, "everyone"]]);
  });
});

describe("a list of messages", () => {
  it("starts and ends where the query says, and refuses invalid ids and limits", async () => {
    await using scene = await openRawScene();
    const { general } = scene;
    const ids: string[] = [];
    for (const content of ["a", "b", "c", "d", "e"]) {
      ids.push(await post(scene, { content }));
    }
    const contents = async (query: string) => {
      const { json } = await scene.api("GET", `${messagesOf(general)}?${query}`);
      // The answer is a list of messages.
      return (json as unknown as { readonly content: string }[]).map(({ content }) => content).join("");
    };
    expect(await contents("")).toBe("edcba");
    expect(await contents("limit=2")).toBe("ed");
    expect(await contents(`before=${ids[2]}`)).toBe("ba");
    expect(await contents(`after=${ids[1]}&limit=2`)).toBe("dc");
    for (const query of ["before=abc", "limit=0", "limit=101", "limit=many"]) {
      expect(outcome(await scene.api("GET", `${messagesOf(general)}?${query}`))).toEqual([400, 50_035]);
    }
    expect(scene.discord.bugs).toEqual([]);
  });
});

describe("a reply", () => {
  it("to a reply contains that message, but not the one before it", async () => {
    await using scene = await openRawScene();
    const first = await post(scene, { content: "first" });
    const second = await post(scene, { content: "second", message_reference: { message_id: first } });
    const third = await post(scene, { content: "third", message_reference: { message_id: second } });
    const { json } = await scene.api("GET", `${messagesOf(scene.general)}/${third}`);
    expect(json["referenced_message"]).toMatchObject({
      id: second,
      message_reference: { message_id: first },
    });
    expect(json["referenced_message"]).not.toHaveProperty("referenced_message");
  });
});

describe("a member who waits for a message", () => {
  it("gets an error of their own predicate, which does not count as a bug of the sandbox", async () => {
    await using scene = await openRawScene();
    const waiting = scene.ada
      .waitForMessage(scene.general, () => {
        throw new Error("not this one");
      })
      .catch((error: unknown) => error);
    await post(scene, { content: "hello" });
    expect(await waiting).toEqual(new Error("not this one"));
    expect(scene.discord.bugs).toEqual([]);
  });
});

describe("a bot without the privileged intent", () => {
  it("can read a message that mentions it, but not the one it replies to, in events and in requests", async () => {
    await using scene = await openRawScene();
    const { discord, general } = scene;
    const secret = await scene.ada.say(general, "secret");
    const reply = await discord.member("Alan").reply(secret, `<@${discord.applicationId}> what is this?`);
    const event = await scene.socket.until(({ t, d }) => t === "MESSAGE_CREATE" && d["id"] === reply.id);
    const asked = await scene.api("GET", `${messagesOf(general)}/${reply.id}`);
    for (const message of [event.d, asked.json]) {
      expect(message).toMatchObject({
        content: `<@${discord.applicationId}> what is this?`,
        referenced_message: { id: secret.id, content: "", embeds: [], attachments: [], components: [] },
      });
    }
  });
});

describe("the bot's permissions", () => {
  const history = 1n << 16n;

  it("without READ_MESSAGE_HISTORY give an empty list, no single message and no reply", async () => {
    await using scene = await openRawScene();
    const { discord, general } = scene;
    const id = await post(scene, { content: "x" });
    const list = async () => Object.values((await scene.api("GET", messagesOf(general))).json).length;
    const answer = () =>
      scene.api("POST", messagesOf(general), { content: "y", message_reference: { message_id: id } });
    expect([await list(), (await answer()).json["type"]]).toEqual([1, 19]);
    general.overwrites = [{ id: discord.applicationId, kind: 1, allow: 0n, deny: history }];
    expect(await list()).toBe(0);
    expect(outcome(await scene.api("GET", `${messagesOf(general)}/${id}`))).toEqual([403, 50_013]);
    expect(outcome(await answer())).toEqual([400, 160_002]);
  });

  it("to attach files are needed for files only", async () => {
    await using scene = await openRawScene();
    const { discord, general } = scene;
    general.overwrites = [{ id: discord.applicationId, kind: 1, allow: 0n, deny: 1n << 15n }];
    const refused = await scene.api("POST", messagesOf(general), formOf({}, "a.txt"));
    expect(outcome(refused)).toEqual([403, 50_013]);
    await post(scene, { content: "x" });
  });

  it("do not cover deleting a person's direct message (50003) or writing to a person who accepts none (50007)", async () => {
    await using scene = await openRawScene();
    const dm = scene.ada.dm();
    await post(scene, { content: "x" }, dm);
    const hers = await scene.ada.say(dm, "mine");
    expect(outcome(await scene.api("DELETE", `${messagesOf(dm)}/${hers.id}`))).toEqual([403, 50_003]);
    scene.discord.setDirectMessages("Ada", false);
    expect(outcome(await scene.api("POST", messagesOf(dm), { content: "x" }))).toEqual([403, 50_007]);
  });
});
