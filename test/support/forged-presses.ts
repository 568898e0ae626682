// All components that the bot has ever posted, and presses on them that no real client would send.
import { readFileSync } from "node:fs";
import type { Answer } from "../../sandbox/discord/actors/member-types.ts";
import { awaitInteraction, findAnswer } from "../../sandbox/discord/actors/answer.ts";
import { sendInteraction } from "../../sandbox/discord/actors/send-interaction.ts";
import type { Channel } from "../../sandbox/discord/entities.ts";
import { postMessage } from "../../sandbox/discord/rules/messages.ts";
import { userOf } from "../../sandbox/discord/state.ts";
import { parseMessageForm } from "../../sandbox/discord/validate/message.ts";
import type { World } from "../../sandbox/world.ts";
import { parseComponentId } from "../../src/core/component-id.ts";

export type PressKind = "buttons" | "selects" | "modals";

/** A custom id as the bot has posted it. */
export interface StoredId {
  readonly kind: PressKind;
  readonly id: string;
  /** Its name in the registry, e.g. `board/list:open`. */
  readonly route: string;
}

const KINDS: readonly PressKind[] = ["buttons", "selects", "modals"];

/** Every format of every component's id; test/commands/stored-ids.test.ts checks that none is missing. */
export const storedIds: readonly StoredId[] = readFileSync(
  new URL("../fixtures/stored-ids.txt", import.meta.url),
  "utf8",
)
  .trim()
  .split("\n")
  .map((line) => {
    const space = line.indexOf(" ");
    const id = line.slice(space + 1);
    const kind = KINDS.find((each) => each === line.slice(0, space));
    const target = parseComponentId(id);
    if (kind === undefined || target === undefined) {
      throw new Error(`not an id: ${line}`);
    }
    return { kind, id, route: `${target.command}:${target.action}` };
  });

/** Posts a message as the bot, on which anything can be pressed. Returns its id. */
export function postAsBot({ discord }: World, channel: Channel): string {
  const { applicationId: authorId, platform } = discord;
  const form = parseMessageForm({
    flags: 1 << 15,
    components: [{ type: 10, content: "Something to press on" }],
  });
  return postMessage(platform, { channel, authorId, kind: 0 }, { form, files: [] }).id;
}

/** The person, channel and message of a press. */
export interface Place {
  readonly userId: string;
  readonly channel: Channel;
  readonly messageId: string;
}

/** The fields of the bot's forms, each filled with a value that most of them accept. */
const FIELDS = ["delay", "lead", "message", "title", "description", "reason", "every"];
const fieldOf = (name: string) => ({ type: 18, component: { type: 4, custom_id: name, value: "10" } });

/** Sends the bot a press as Discord would send it, whether or not the message has such a component. */
export function pressForged(
  { discord }: World,
  { userId, channel, messageId }: Place,
  { kind, id }: Pick<StoredId, "kind" | "id">,
  values: readonly string[] = ["x"],
): Promise<Answer> {
  const { platform, gateway } = discord;
  const data = {
    buttons: { component_type: 2, custom_id: id },
    selects: { component_type: 3, custom_id: id, values },
    modals: { custom_id: id, components: FIELDS.map(fieldOf) },
  }[kind];
  const what = { kind: kind === "modals" ? 5 : 3, messageId } as const;
  const interaction = sendInteraction(
    { platform, gateway },
    userOf(platform.state, userId),
    channel,
    what,
    data,
  );
  return awaitInteraction(platform, interaction, () => findAnswer(platform, interaction));
}
