// The answer to a person's message, sent by the real messenger to the local Discord.
import { describe, expect, it } from "vitest";
import { createLog } from "../../../src/core/log.ts";
import { createMessageAnswer } from "../../../src/discord/message-dispatch/message-work.ts";
import { boardReply, hello, openMessenger, outcomeOf, type MessengerScene } from "../open-messenger.ts";

const log = createLog({ level: "silent", secrets: [] });
const MESSAGES = /^\/channels\/\d+\/messages$/;

/** Ada writes a message in #trains that the bot is about to answer. */
async function begin(scene: MessengerScene) {
  const { trains } = scene.discord.community.channels;
  const ada = scene.discord.member("Ada");
  const asked = await ada.say(trains, "@everyone");
  const sent = { id: asked.id, channel_id: trains.id };
  const answer = createMessageAnswer({ sent, messenger: scene.messenger, log });
  const answers = () => [...trains.messages.values()].filter(({ id }) => id !== asked.id);
  return { trains, asked, answer, answers };
}

describe("the answer to a message", () => {
  it("is a reply and pings nobody, not even the author", async () => {
    await using scene = await openMessenger();
    const { asked, answer, answers } = await begin(scene);
    await answer.send(hello);
    expect(answers()).toMatchObject([{ repliesTo: asked.id, mentionedUserIds: [], mentionsEveryone: false }]);
  });

  it("is sent even if the message is deleted", async () => {
    await using scene = await openMessenger();
    const { trains, asked, answer, answers } = await begin(scene);
    trains.messages.delete(asked.id);
    await answer.send(hello);
    expect(answers()).toMatchObject([{ repliesTo: undefined }]);
  });

  it("replaces the progress shown before it", async () => {
    await using scene = await openMessenger();
    const { answer, answers } = await begin(scene);
    await answer.show("Reading");
    await answer.show("Drawing");
    await answer.send(boardReply());
    expect(answers()).toHaveLength(1);
    expect(answers()[0]?.attachments.map(({ filename }) => filename)).toEqual(["board.png"]);
  });

  it("is sent once even if a second process gets the event", async () => {
    await using scene = await openMessenger();
    const { asked, trains, answer, answers } = await begin(scene);
    const sent = { id: asked.id, channel_id: trains.id };
    await answer.send(hello);
    await createMessageAnswer({ sent, messenger: scene.messenger, log }).send(hello);
    expect(answers()).toHaveLength(1);
  });

  it("is shown even if the outcome of a progress message is unknown", async () => {
    await using scene = await openMessenger();
    const { answer, answers } = await begin(scene);
    // The number of the messenger's attempts.
    const fault = scene.discord.faults.add({ method: "POST", path: MESSAGES, do: "500-after", times: 4 });
    await answer.show("Half way");
    expect([fault.hits, answers().length]).toEqual([4, 1]);
    await answer.send(boardReply());
    expect(answers().map(({ attachments }) => attachments.length)).toEqual([1]);
  });

  it("is not posted again if somebody has deleted its progress message", async () => {
    await using scene = await openMessenger();
    const { trains, answer, answers } = await begin(scene);
    await answer.show("Half way");
    trains.messages.delete(answers()[0]?.id ?? "");
    expect(await outcomeOf(answer.send(hello))).toBe("message-gone");
    expect(answers()).toEqual([]);
  });
});
