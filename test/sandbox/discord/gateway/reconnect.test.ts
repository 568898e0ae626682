import { Events } from "discord.js";
import { describe, it } from "vitest";
import { startStub } from "../../../support/stub-server.ts";
import { openScene } from "../open-client.ts";

// Three of them wait 5 s before they identify again, so all run at the same time.
describe.concurrent("discord.js", () => {
  it.for([
    ["op 7", Events.ShardResume],
    ["op 9 d:true", Events.ShardResume],
    ["4000", Events.ShardResume],
    ["4009", Events.ShardResume],
    ["op 9 d:false", Events.ShardReady],
    ["4007", Events.ShardReady],
    ["1000", Events.ShardReady],
  ] as const)("recovers from %s with %s, and receives later events", async ([what, event], { expect }) => {
    await using scene = await openScene();
    const { client, discord } = scene;
    const heard: string[] = [];
    client.on(Events.MessageCreate, ({ content }) => heard.push(content));
    const back = new Promise<void>((resolve) => {
      // Two calls, because each event has its own type of listener.
      if (event === Events.ShardResume) {
        client.once(event, () => resolve());
      } else {
        client.once(event, () => resolve());
      }
    });
    if (what === "op 7") {
      discord.gateway.askReconnect();
    } else if (what.startsWith("op 9")) {
      discord.gateway.invalidate(what.endsWith("true"));
    } else {
      discord.gateway.closeSockets(Number(what));
    }
    await back;
    await discord.member("Ada").mention(discord.community.channels.general, "welcome back");
    await expect.poll(() => heard).toEqual([`<@${discord.applicationId}> welcome back`]);
  });

  it("answers each command exactly once that came while its socket was down, even if RESUMED never comes", async ({
    expect,
  }) => {
    const ran: string[] = [];
    await using scene = await openScene({
      commands: [{ name: "echo", description: "Says it again" }],
      onInteraction(interaction) {
        ran.push(interaction.id);
        return interaction.isChatInputCommand() && interaction.reply("echo");
      },
    });
    const { discord } = scene;
    const { general } = discord.community.channels;
    discord.gateway.faults.add({ event: "RESUMED", do: "drop" });
    discord.gateway.dropSockets();
    const asked = ["Ada", "Alan", "Mary"].map((name) => discord.member(name).slash(general, "echo"));
    const answers = await Promise.all(asked);
    expect(answers.map(({ text }) => text)).toEqual(["echo", "echo", "echo"]);
    expect(new Set(ran).size).toBe(ran.length);
    expect(general.messages.size).toBe(3);
    expect(scene.errors).toEqual([]);
  });

  it("resumes at the host that READY named, and at no other", async ({ expect }) => {
    await using dead = await startStub((_request, response) => void response.writeHead(503).end());
    const resumeUrl = dead.url.href.replace("http", "ws");
    await using scene = await openScene({ discord: { settings: { resumeUrl } } });
    const { client, discord } = scene;
    const failed = new Promise<Error>((resolve) => client.once(Events.ShardError, resolve));
    discord.gateway.dropSockets();
    expect((await failed).message).toContain("503");
    expect(dead.seen).toHaveLength(1);
  });

  it("waits in destroy() for a closing frame that a stalled gateway never sends", async ({ expect }) => {
    await using scene = await openScene();
    const { client, discord } = scene;
    discord.gateway.stallSockets();
    let hasLeft = false;
    const leaving = client.destroy().then(() => (hasLeft = true));
    // Two requests take longer than a closing frame and its answer would.
    await fetch(`${discord.baseUrl}/api/v10/gateway`);
    await fetch(`${discord.baseUrl}/api/v10/gateway`);
    expect(hasLeft).toBe(false);
    await discord.close();
    await leaving;
  });
});
