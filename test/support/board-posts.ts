// Records the messages of boards in a world's channels. Also subscribes channels and opens cards as a moderator does.
import { walkComponents } from "../../sandbox/discord/serialise/message.ts";
import type { Channel, Message } from "../../sandbox/discord/entities.ts";
import type { OptionInputs, SeenMessage } from "../../sandbox/discord/actors/member-types.ts";
import { timeOfId } from "../../sandbox/discord/snowflake.ts";
import type { World } from "../../sandbox/world.ts";
import { parseComponentId } from "../../src/core/component-id.ts";
import { findBoardSlot } from "../../src/boards/board-post-view.ts";

/** A message that was posted for a slot of a board. */
export interface BoardPost {
  readonly boardId: string;
  readonly slotMs: number;
  /** When it was created, according to its id. */
  readonly atMs: number;
  /** Its current or last state. */
  readonly message: Message;
}

export interface BoardPosts {
  /** All messages ever posted, oldest first. */
  readonly ever: readonly BoardPost[];
  /** The messages of a board that still exist, in whichever channel. */
  standing(boardId: string): readonly BoardPost[];
}

/** Starts recording. */
export function watchBoardPosts({ discord }: Pick<World, "discord">): BoardPosts {
  const ever: BoardPost[] = [];
  discord.changes.listen((change) => {
    if (change.type === "message-created") {
      ever.push(...postOf(change.message));
    }
  });
  return {
    ever,
    standing: (boardId) =>
      [...discord.state.channels.values()]
        .flatMap(({ messages }) => [...messages.values()].flatMap(postOf))
        .filter((post) => post.boardId === boardId),
  };
}

/** Empty for an answer to a person, which belongs to no slot. */
function postOf(message: Message): readonly BoardPost[] {
  const ids = [...walkComponents(message.components)].map((component) => String(component["custom_id"]));
  const mark = findBoardSlot(ids);
  return mark === undefined || mark.slotMs === 0 ? [] : [{ ...mark, atMs: timeOfId(message.id), message }];
}

/** Subscribes a channel by command and **Save**, as Grace or another moderator. Returns the board's id. */
export async function subscribeBoard(
  world: World,
  channel: Channel,
  options: OptionInputs,
  moderator = world.member("Grace"),
): Promise<string> {
  const asked = await moderator.slash(channel, "board subscribe", options);
  const id = parseComponentId(String(asked.button("Save")["custom_id"]))?.args["b"] ?? "";
  const saved = await moderator.click(asked.message, "Save");
  if (!saved.text.startsWith("Saved")) {
    throw new Error(`the board was not saved: ${saved.text}`);
  }
  return id;
}

/** Opens a board's card from the list, as Grace or another moderator of its server. */
export async function openBoardCard(
  world: World,
  id: string,
  channel = world.channels.staff,
  moderator = world.member("Grace"),
): Promise<SeenMessage> {
  const list = await moderator.slash(channel, "board list");
  return (await moderator.select(list.message, "Open a board…", [id])).message;
}
