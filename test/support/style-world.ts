// A world whose members restyle pictures with the real bot. The service's result is prepared by default, so that only
// tests of filters wait for them.
import sharp from "sharp";
import type { ActorFile, SeenMessage } from "../../sandbox/discord/actors/member-types.ts";
import type { World, WorldOptions } from "../../sandbox/world.ts";
import { openCheckedWorld } from "./checked-world.ts";
import { drawPicture } from "./sent-pictures.ts";

/** The colour of the service's result: a plain blue, unlike anything that was sent. */
const RESULT_COLOUR = { r: 20, g: 60, b: 220 } as const;

/** Opens a world whose bot logs everything. With `canned: false`, the stand-in uses its filters. */
export async function openStyleWorld({
  canned = true,
  ...options
}: WorldOptions & { readonly canned?: boolean } = {}): Promise<World> {
  const env = { LOG_LEVEL: "trace", ...options.env };
  const world = await openCheckedWorld({ ...options, env });
  if (canned) {
    const size = { width: 320, height: 240, channels: 3 } as const;
    world.style.canned = await sharp({ create: { ...size, background: RESULT_COLOUR } })
      .jpeg()
      .toBuffer();
  }
  return world;
}

/** A photograph as a member has it. */
export async function photograph(name = "IMG_2041.jpg", width = 320, height = 240): Promise<ActorFile> {
  return { name, bytes: await drawPicture(width, height).jpeg().toBuffer() };
}

/** The colour in the middle of a picture: red, green, blue. */
export async function middleOf(bytes: Uint8Array): Promise<readonly [number, number, number]> {
  const { data } = await sharp(bytes)
    .removeAlpha()
    .resize(3, 3, { fit: "fill", kernel: "nearest" })
    .raw()
    .toBuffer({ resolveWithObject: true });
  return [data[0] ?? 0, data[1] ?? 0, data[2] ?? 0];
}

/** The attachment of a message whose name begins with `role`. Throws if there is none. */
export function fileOf(message: SeenMessage, role: string): SeenMessage["attachments"][number] {
  const found = message.attachments.find(({ filename }) => filename.startsWith(`${role}.`));
  if (!found) {
    throw new Error(`there is no ${role}: ${message.attachments.map(({ filename }) => filename).join(", ")}`);
  }
  return found;
}

/** The style and fields of each picture that the service received. */
export function picturesSent(
  world: World,
): readonly { readonly style: string; readonly fields: Readonly<Record<string, string>> }[] {
  return world.style.ledger.flatMap(({ sent }) => (sent ? [sent] : []));
}

/** The number of pictures that were requested from the service. */
export function countStyleRequests(world: World): number {
  return world.style.ledger.filter(({ path }) => path === "/v1/process").length;
}
