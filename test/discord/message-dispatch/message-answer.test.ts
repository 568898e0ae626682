// The answer to a person's message, sent by the real messenger to the local Discord.
import { describe, expect, it } from "vitest";
import { createLog } from "../../../src/core/log.ts";
import { createMessageAnswer } from "../../../src/discord/message-dispatch/message-work.ts";
import { boardReply, hello, openMessenger, outcomeOf, type MessengerScene } from "../open-messenger.ts";

const log = createLog({ level: "silent", secrets: [] });
const MESSAGES = /^\/channels\/\d+\/messages$/;

/** Ada says something in #trains, and the bot is about to answer. */
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
  it("replies to it and pings nobody, its author neither", async () => {
    await using scene = await openMessenger();
    const { asked, answer, answers } = await begin(scene);
    await answer.send(hello);
    expect(answers()).toMatchObject([{ repliesTo: asked.id, mentionedUserIds: [], mentionsEveryone: false }]);
  });

  it("comes all the same where the message is gone", async () => {
    await using scene = await openMessenger();
    const { trains, asked, answer, answers } = await begin(scene);
    trains.messages.delete(asked.id);
    await answer.send(hello);
    expect(answers()).toMatchObject([{ repliesTo: undefined }]);
  });

  it("takes the place of the states before it", async () => {
    await using scene = await openMessenger();
    const { answer, answers } = await begin(scene);
    await answer.show("Reading");
    await answer.show("Drawing");
    await answer.send(boardReply());
    expect(answers()).toHaveLength(1);
    expect(answers()[0]?.attachments.map(({ filename }) => filename)).toEqual(["board.png"]);
  });

  it("is the only one where the event is heard by a second process", async () => {
    await using scene = await openMessenger();
    const { asked, trains, answer, answers } = await begin(scene);
    const sent = { id: asked.id, channel_id: trains.id };
    await answer.send(hello);
    await createMessageAnswer({ sent, messenger: scene.messenger, log }).send(hello);
    expect(answers()).toHaveLength(1);
  });

  it("stands in the end also where nobody knows whether a state came through", async () => {
    await using scene = await openMessenger();
    const { answer, answers } = await begin(scene);
    // As often as the messenger tries.
    const fault = scene.discord.faults.add({ method: "POST", path: MESSAGES, do: "500-after", times: 4 });
    await answer.show("Half way");
    expect([fault.hits, answers().length]).toEqual([4, 1]);
    await answer.send(boardReply());
    expect(answers().map(({ attachments }) => attachments.length)).toEqual([1]);
  });

  it("is not put again where somebody has taken it away", async () => {
    await using scene = await openMessenger();
    const { trains, answer, answers } = await begin(scene);
    await answer.show("Half way");
    trains.messages.delete(answers()[0]?.id ?? "");
    expect(await outcomeOf(answer.send(hello))).toBe("message-gone");
    expect(answers()).toEqual([]);
  });
});
