import { Events, MessageFlags, type ChatInputCommandInteraction } from "discord.js";
import { describe, expect, it } from "vitest";
import { openScene, type Scene } from "../open-client.ts";

const echo = { name: "echo", description: "Says it again" };

/** The code of the error that discord.js throws, or “accepted”. */
async function codeOf(act: Promise<unknown>): Promise<unknown> {
  try {
    await act;
    return "accepted";
  } catch (error) {
    return error instanceof Error && "code" in error ? error.code : error;
  }
}

/** Runs /echo as Alan, and returns the result of the bot's attempt to answer it. */
async function tryWith(
  scene: Scene,
  attempt: (interaction: ChatInputCommandInteraction) => Promise<unknown>,
): Promise<unknown> {
  const result = new Promise((resolve) => {
    scene.client.once(Events.InteractionCreate, (interaction) => {
      if (interaction.isChatInputCommand()) {
        void attempt(interaction).then(resolve, resolve);
      }
    });
  });
  void scene.discord
    .member("Alan")
    .slash(scene.discord.community.channels.general, "echo", {}, { deadlineMs: 500 })
    .catch(() => undefined);
  return result;
}

describe("discord.js", () => {
  it("throws Discord's code if an answer is late, repeated, invalid or already deleted", async () => {
    await using scene = await openScene({ commands: [echo] });
    const codes = await tryWith(scene, async (interaction) => {
      const wrong = await codeOf(interaction.reply({ content: "x".repeat(2001) }));
      const right = await codeOf(interaction.reply({ content: "x" }));
      const { api } = { api: interaction.client.rest };
      const again = await codeOf(
        api.post(`/interactions/${interaction.id}/${interaction.token}/callback`, {
          body: { type: 4, data: { content: "x" } },
          auth: false,
        }),
      );
      await interaction.deleteReply();
      return [wrong, right, again, await codeOf(interaction.editReply({ content: "y" }))];
    });
    expect(codes).toEqual([50_035, "accepted", 40_060, 10_008]);
    const late = await tryWith(scene, async (interaction) => {
      await scene.clock.advance(3000);
      return codeOf(interaction.reply({ content: "x" }));
    });
    expect(late).toBe(10_062);
  });

  it("throws 50027 if the token has expired, and keeps a private answer private", async () => {
    await using scene = await openScene({ commands: [echo] });
    const codes = await tryWith(scene, async (interaction) => {
      await interaction.deferReply({ flags: MessageFlags.Ephemeral });
      const edited = await interaction.editReply({ content: "x" });
      await scene.clock.advance(15 * 60_000);
      return [edited.flags.has("Ephemeral"), await codeOf(interaction.editReply({ content: "y" }))];
    });
    expect(codes).toEqual([true, 50_027]);
  });

  it("throws Discord's code for a channel without access or permission, another's message or an empty one", async () => {
    await using scene = await openScene();
    const { client, discord } = scene;
    const { general, trains, news } = discord.community.channels;
    const sendable = async (id: string) => {
      const channel = await client.channels.fetch(id);
      if (channel === null || !channel.isSendable()) {
        throw new Error("the bot cannot write in this channel");
      }
      return channel;
    };
    const [inGeneral, inTrains, inNews] = await Promise.all([general.id, trains.id, news.id].map(sendable));
    const hers = await discord.member("Ada").mention(general, "mine");
    const theirs = await inGeneral?.messages.fetch(hers.id);
    const post = await inNews?.send("news");
    expect([
      await codeOf(Promise.resolve(post?.crosspost())),
      await codeOf(Promise.resolve(post?.crosspost())),
    ]).toEqual(["accepted", 40_033]);
    expect(
      await codeOf(
        client.rest.patch(`/channels/${general.id}/messages/${theirs?.id}`, { body: { content: "x" } }),
      ),
    ).toBe(50_005);
    expect(await codeOf(Promise.resolve(inTrains?.send({ content: "" })))).toBe(50_006);
    trains.overwrites = [{ id: discord.applicationId, kind: 1, allow: 0n, deny: 1n << 11n }];
    expect(await codeOf(Promise.resolve(inTrains?.send("x")))).toBe(50_013);
    trains.overwrites = [{ id: discord.applicationId, kind: 1, allow: 0n, deny: 1n << 10n }];
    expect(await codeOf(Promise.resolve(inTrains?.send("x")))).toBe(50_001);
    expect(await codeOf(Promise.resolve(inGeneral?.send("x")))).toBe("accepted");
  });
});
