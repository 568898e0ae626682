import { describe, expect, it } from "vitest";
import { openScene } from "./open-client.ts";

const POSTS = { method: "POST", path: "/channels/:channel/messages" } as const;

async function openChannel() {
  const scene = await openScene();
  const end = () => scene[Symbol.asyncDispose]();
  const channel = await scene.client.channels.fetch(scene.discord.community.channels.trains.id);
  if (channel === null || !channel.isSendable()) {
    throw new Error("the bot cannot write in this channel");
  }
  return { scene, channel, [Symbol.asyncDispose]: end };
}

describe("discord.js at a failing Discord", () => {
  it("retries after two 500s and posts once", async () => {
    await using at = await openChannel();
    const { scene, channel } = at;
    scene.discord.faults.add({ ...POSTS, do: "500", times: 2 });
    await channel.send("hello");
    const posts = scene.discord.requests.filter(({ method }) => method === "POST");
    expect(posts.map(({ status, fault }) => [status, fault])).toEqual([
      [500, "500"],
      [500, "500"],
      [200, undefined],
    ]);
    expect(scene.discord.community.channels.trains.messages.size).toBe(1);
  });

  it("posts twice if an answer is lost, but once with an enforced nonce", async () => {
    await using at = await openChannel();
    const { scene, channel } = at;
    const { messages } = scene.discord.community.channels.trains;
    scene.discord.faults.add({ ...POSTS, do: "500-after" });
    await channel.send("doubled");
    expect(messages.size).toBe(2);
    scene.discord.faults.add({ ...POSTS, do: "drop-after" });
    await channel.send({ content: "once", nonce: "slot-1", enforceNonce: true });
    expect([...messages.values()].map(({ content }) => content)).toEqual(["doubled", "doubled", "once"]);
  });

  it.each(["429", "429-global", "429-shared"] as const)("waits and retries after a %s", async (kind) => {
    await using at = await openChannel();
    const { scene, channel } = at;
    scene.discord.faults.add({ ...POSTS, do: kind, retryAfterMs: 10 });
    await channel.send("patient");
    const posts = scene.discord.requests.filter(({ method }) => method === "POST");
    expect(posts.map(({ status }) => status)).toEqual([429, 200]);
  });

  it("discards its token after one 401", async () => {
    await using at = await openChannel();
    const { scene, channel } = at;
    scene.discord.faults.add({ ...POSTS, do: "401" });
    await expect(channel.send("refused")).rejects.toMatchObject({
      status: 401,
      message: "401: Unauthorized",
    });
    await expect(channel.send("unsent")).rejects.toThrow("Expected token to be set");
    expect(scene.discord.limits.invalidRequests).toBe(1);
  });
});
