import {
  ActionRowBuilder,
  AttachmentBuilder,
  ButtonBuilder,
  ButtonStyle,
  ContainerBuilder,
  Events,
  LabelBuilder,
  MediaGalleryBuilder,
  MessageFlags,
  ModalBuilder,
  StringSelectMenuBuilder,
  TextDisplayBuilder,
  TextInputBuilder,
  TextInputStyle,
  type Message,
} from "discord.js";
import { describe, expect, it } from "vitest";
import { openScene } from "./open-client.ts";
import { until } from "../../support/until.ts";

const echo = {
  name: "echo",
  description: "Says it again",
  options: [{ type: 3, name: "text", description: "What to say", required: true, autocomplete: true }],
};

/** The header of a PNG of 3 × 2 pixels, followed by zeros instead of an image. */
const PICTURE = Buffer.concat([
  Buffer.from("89504e470d0a1a0a0000000d49484452", "hex"),
  Buffer.from("0000000300000002", "hex"),
  Buffer.alloc(32),
]);

describe("discord.js at the local Discord", () => {
  it("logs in, becomes ready and knows the guild, its channels and, once fetched, its members", async () => {
    await using scene = await openScene();
    const { client, discord } = scene;
    const guild = client.guilds.cache.get(discord.community.guild.id);
    expect(guild?.name).toBe("Platform Zero");
    expect(guild?.channels.cache.map(({ name }) => name)).toEqual(["general", "trains", "news", "staff"]);
    expect(guild?.members.cache.map(({ id }) => id)).toEqual([discord.applicationId]);
    const ada = await guild?.members.fetch(discord.member("Ada").id);
    expect(ada?.permissions.has("Administrator")).toBe(true);
    expect((await client.application.fetch()).id).toBe(discord.applicationId);
    expect(scene.errors).toEqual([]);
    expect(discord.unknownRoutes).toEqual([]);
  });

  it("answers a slash command with what the member typed", async () => {
    await using scene = await openScene({
      commands: [echo],
      onInteraction: (interaction) =>
        interaction.isChatInputCommand() &&
        interaction.reply({ content: interaction.options.getString("text", true) }),
    });
    const { discord } = scene;
    const { general } = discord.community.channels;
    const answer = await discord.member("Alan").slash(general, "echo", { text: "mind the gap" });
    expect(answer.text).toBe("mind the gap");
    expect(discord.transcript(general)).toEqual(["Signalbox (Alan used /echo):", "  mind the gap"]);
    expect(scene.errors).toEqual([]);
  });

  it("defers, edits with a picture in components V2, and follows up in private", async () => {
    await using scene = await openScene({
      commands: [echo],
      async onInteraction(interaction) {
        if (!interaction.isChatInputCommand()) {
          return;
        }
        await interaction.deferReply();
        await interaction.editReply({
          flags: MessageFlags.IsComponentsV2,
          files: [new AttachmentBuilder(PICTURE, { name: "board.png", description: "A board" })],
          components: [
            new ContainerBuilder()
              .addTextDisplayComponents(new TextDisplayBuilder({ content: "# York" }))
              .addMediaGalleryComponents(
                new MediaGalleryBuilder().addItems({ media: { url: "attachment://board.png" } }),
              ),
          ],
        });
        await interaction.followUp({ content: "psst", flags: MessageFlags.Ephemeral });
      },
    });
    const { discord } = scene;
    const { trains } = discord.community.channels;
    const ada = discord.member("Ada");
    const answer = await ada.slash(trains, "echo", { text: "x" });
    const [file] = answer.message.attachments;
    expect(file).toMatchObject({ filename: "board.png", description: "A board", width: 3, height: 2 });
    expect(file && Buffer.from(await ada.download(file)).equals(PICTURE)).toBe(true);
    const ephemeralMessage = await ada.waitForMessage(trains, ({ content }) => content === "psst");
    expect(ephemeralMessage.ephemeral).toBe(true);
    expect(discord.transcript(trains)).toEqual([
      "Signalbox (Ada used /echo):",
      "  # York",
      "  [board.png: A board]",
    ]);
    expect(discord.member("Alan").look(ephemeralMessage)).toBeUndefined();
    expect(scene.errors).toEqual([]);
  });

  it("handles buttons, menus and forms, and edits the message in place", async () => {
    await using scene = await openScene({
      commands: [echo],
      async onInteraction(interaction) {
        if (interaction.isChatInputCommand()) {
          await interaction.reply({
            content: "choose",
            components: [
              new ActionRowBuilder<ButtonBuilder>().addComponents(
                new ButtonBuilder({ customId: "more", label: "More", style: ButtonStyle.Primary }),
                new ButtonBuilder({ customId: "form", label: "Form", style: ButtonStyle.Secondary }),
              ),
              new ActionRowBuilder<StringSelectMenuBuilder>().addComponents(
                new StringSelectMenuBuilder({
                  customId: "pick",
                  placeholder: "Pick one",
                  options: [
                    { label: "North", value: "n" },
                    { label: "South", value: "s" },
                  ],
                }),
              ),
            ],
          });
        } else if (interaction.isButton() && interaction.customId === "more") {
          await interaction.deferUpdate();
          await interaction.editReply({ content: "more it is" });
        } else if (interaction.isButton()) {
          await interaction.showModal(
            new ModalBuilder({ customId: "ask", title: "Ask" }).addLabelComponents(
              new LabelBuilder()
                .setLabel("Name")
                .setTextInputComponent(
                  new TextInputBuilder({ customId: "name", style: TextInputStyle.Short }),
                ),
            ),
          );
        } else if (interaction.isStringSelectMenu()) {
          await interaction.update({ content: `picked ${interaction.values.join()}` });
        } else if (interaction.isModalSubmit()) {
          await interaction.reply({ content: `hello ${interaction.fields.getTextInputValue("name")}` });
        }
      },
    });
    const { discord } = scene;
    const { general } = discord.community.channels;
    const ada = discord.member("Ada");
    const asked = await ada.slash(general, "echo", { text: "x" });
    const pressed = await ada.click(asked.message, "More");
    expect(pressed.message).toMatchObject({ id: asked.message.id, text: "more it is" });
    const picked = await ada.select(asked.message, "Pick one", ["South"]);
    expect(picked.text).toBe("picked s");
    const form = await ada.click(asked.message, "Form");
    expect(form.kind).toBe("modal");
    expect(form.modal.title).toBe("Ask");
    const greeted = await ada.submit(form, { Name: "Ada" });
    expect(greeted.text).toBe("hello Ada");
    expect(scene.errors).toEqual([]);
  });

  it("offers autocomplete choices for the text so far", async () => {
    await using scene = await openScene({
      commands: [echo],
      onInteraction: (interaction) =>
        interaction.isAutocomplete() &&
        interaction.respond([{ name: `${interaction.options.getFocused()}!`, value: "v" }]),
    });
    const { discord } = scene;
    const { general } = discord.community.channels;
    const choices = await discord.member("Ada").complete(general, "echo", { text: "yo" }, "text");
    expect(choices).toEqual([{ name: "yo!", value: "v" }]);
  });

  it("receives a mention with its file, but other messages without their text", async () => {
    await using scene = await openScene();
    const { client, discord } = scene;
    const heard: Message[] = [];
    client.on(Events.MessageCreate, (message) => heard.push(message));
    const { general } = discord.community.channels;
    const ada = discord.member("Ada");
    await ada.say(general, "secret");
    await ada.mention(general, "look", [{ name: "a.png", bytes: PICTURE }]);
    const pong = new Promise<Message>((resolve) =>
      client.on(Events.MessageCreate, (m) => m.author.bot && resolve(m)),
    );
    await until(() => heard.length >= 2);
    await heard[1]?.reply({ content: "seen", allowedMentions: { parse: [] } });
    await pong;
    expect(heard.slice(0, 2).map(({ content }) => content)).toEqual(["", `<@${discord.applicationId}> look`]);
    expect(heard[1]?.attachments.first()?.name).toBe("a.png");
    const reply = await ada.waitForMessage(general, ({ content }) => content === "seen");
    expect(reply.pings).toEqual([]);
  });

  it("answers direct messages and starts them", async () => {
    await using scene = await openScene();
    const { client, discord } = scene;
    client.on(Events.MessageCreate, (message) => {
      if (!message.author.bot) {
        void message.reply({ content: `you said ${message.content}` });
      }
    });
    const alan = discord.member("Alan");
    await alan.say(alan.dm(), "hello");
    const reply = await alan.waitForMessage(alan.dm(), ({ author }) => author.bot);
    expect(reply.text).toBe("you said hello");
    const user = await client.users.fetch(discord.member("Grace").id);
    await user.send("good morning");
    const grace = discord.member("Grace");
    expect(grace.messages(grace.dm()).map(({ text }) => text)).toEqual(["good morning"]);
  });

  it("posts, edits, lists and deletes messages, and removes files that an edit does not list", async () => {
    await using scene = await openScene();
    const { client, discord } = scene;
    const channel = await client.channels.fetch(discord.community.channels.trains.id);
    if (channel === null || !channel.isSendable()) {
      throw new Error("the bot cannot write in this channel");
    }
    const posted = await channel.send({ content: "board", files: [{ attachment: PICTURE, name: "a.png" }] });
    expect(posted.attachments.size).toBe(1);
    const edited = await posted.edit({ content: "board 2", attachments: [] });
    expect(edited.attachments.size).toBe(0);
    const [newest] = [...(await channel.messages.fetch({ limit: 1 })).values()];
    expect(newest).toMatchObject({ id: posted.id, content: "board 2" });
    await posted.delete();
    expect(discord.transcript(discord.community.channels.trains)).toEqual([]);
    await expect(channel.messages.fetch(posted.id)).rejects.toMatchObject({ code: 10_008 });
  });

  it("resumes after its socket is cut, and receives the events that it missed", async () => {
    await using scene = await openScene();
    const { client, discord } = scene;
    const heard: string[] = [];
    client.on(Events.MessageCreate, ({ content }) => heard.push(content));
    const resumed = new Promise<void>((resolve) => {
      client.once(Events.ShardResume, () => resolve());
    });
    discord.gateway.dropSockets();
    await discord.member("Ada").mention(discord.community.channels.general, "while you were out");
    await resumed;
    expect(heard).toEqual([`<@${discord.applicationId}> while you were out`]);
    expect(discord.gateway.sessions.size).toBe(1);
  });
});
