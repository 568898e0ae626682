// Whether a board can stand in a channel, and if not, what somebody has to do about it.
import { UserError } from "../../core/errors.ts";
import type { Messenger } from "../../core/ports.ts";
import { checkChannel } from "../sending/check-channel.ts";
import type { BoardPlace, BoardSettings } from "./boards.ts";

const OTHERWISE = "choose another channel with `channel`";

/** Throws a UserError that says what is in the way and how to clear it. */
export async function checkPlace(
  messenger: Pick<Messenger, "check">,
  place: BoardPlace,
  { publish }: Pick<BoardSettings, "publish">,
): Promise<void> {
  const words = { act: "keep a board", otherwise: OTHERWISE, withFiles: true };
  const { kind } = await checkChannel(messenger, place, words);
  if (publish && kind !== "announcement") {
    throw new UserError(
      `Only an announcement channel publishes messages, and <#${place.channelId}> is not one. Leave \`publish\` off, or ${OTHERWISE}.`,
    );
  }
}
