// A world that publishes videos: the real bot, the stand-in of the video service, and a clock that is advanced while
// somebody waits.
import type { ActorFile, SeenMessage } from "../../sandbox/discord/actors/member-types.ts";
import type { Member } from "../../sandbox/discord/actors/member.ts";
import type { Channel } from "../../sandbox/discord/entities.ts";
import type { World, WorldOptions } from "../../sandbox/world.ts";
import { openCheckedWorld } from "./checked-world.ts";
import { advanceUntil } from "./until.ts";

/** The upload limit of a large server. */
const LARGE_BYTES = 64 * 1024 * 1024;

/** Opens a world in which members may send large files. */
export function openVideoWorld(options: WorldOptions = {}): Promise<World> {
  return openCheckedWorld({
    ...options,
    settings: { attachmentSizeLimitBytes: LARGE_BYTES, ...options.settings },
  });
}

/** A file that begins like an MP4. */
export function film(name = "Opening_day.mp4", sizeBytes = 40_000): ActorFile {
  const bytes = new Uint8Array(sizeBytes);
  for (let index = 0; index < sizeBytes; index += 1) {
    bytes[index] = (index * 31) % 251;
  }
  bytes.set(new TextEncoder().encode("\0\0\0\u0018ftypisom\0\0\u0002\0isomiso2"));
  return { name, bytes };
}

/** Advances the clock until a message in a channel matches, and returns the message. */
export function waitForText(
  world: World,
  member: Member,
  channel: Channel,
  text: RegExp,
  stepMs = 200,
): Promise<SeenMessage> {
  const found = member.waitForMessage(channel, (message) => text.test(message.text));
  return advanceUntil(world, found, stepMs);
}

/** Makes the server require approval, in the staff's channel. */
export async function askForApproval(world: World): Promise<void> {
  const { staff } = world.channels;
  await world.member("Ada").slash(staff, "video settings", { approval_channel: staff });
}

/** Posts a button that the bot never made, as if somebody had invented its id. Returns its message. */
export async function forgeButton(
  world: World,
  member: Member,
  channel: Channel,
  customId: string,
): Promise<SeenMessage> {
  const { baseUrl, token } = world.discord;
  const response = await fetch(`${baseUrl}/api/v10/channels/${channel.id}/messages`, {
    method: "POST",
    headers: { authorization: `Bot ${token}`, "content-type": "application/json" },
    body: JSON.stringify({
      flags: 1 << 15,
      components: [{ type: 1, components: [{ type: 2, style: 2, label: "Forged", custom_id: customId }] }],
    }),
  });
  if (!response.ok) {
    throw new Error(`Discord refused the message: ${response.status}`);
  }
  const forged = member.messages(channel).at(-1);
  if (forged === undefined) {
    throw new Error("the message does not exist");
  }
  return forged;
}

/** The custom ids of all components of a message, nested ones included. */
export function customIdsOf(message: SeenMessage): readonly string[] {
  return JSON.stringify(message.components)
    .matchAll(/"custom_id":"([^"]+)"/g)
    .map(([, id = ""]) => id)
    .toArray();
}
