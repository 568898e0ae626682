// A community whose members restyle pictures: the real bot, and a service whose result is ready beforehand unless told
// otherwise, so that only a test of filters waits for them.
import sharp from "sharp";
import type { ActorFile, SeenMessage } from "../../sandbox/discord/actors/acts.ts";
import type { World, WorldOptions } from "../../sandbox/world.ts";
import { openJudgedWorld } from "./judged-world.ts";
import { drawPicture } from "./sent-pictures.ts";

/** What the service gives back: a plain blue, so that it is told from anything that was sent. */
const RESULT_COLOUR = { r: 20, g: 60, b: 220 } as const;

/** Opens one. `canned: false` has the stand-in use its filters. */
export async function openStyleWorld({
  canned = true,
  ...options
}: WorldOptions & { readonly canned?: boolean } = {}): Promise<World> {
  const world = await openJudgedWorld(options);
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

/** How much of an attachment is of one colour in the middle: red, green, blue. */
export async function middleOf(bytes: Uint8Array): Promise<readonly [number, number, number]> {
  const { data } = await sharp(bytes)
    .removeAlpha()
    .resize(3, 3, { fit: "fill", kernel: "nearest" })
    .raw()
    .toBuffer({ resolveWithObject: true });
  return [data[0] ?? 0, data[1] ?? 0, data[2] ?? 0];
}

/** The file of a message whose name begins so. Throws where there is none. */
export function fileOf(message: SeenMessage, role: string): SeenMessage["attachments"][number] {
  const found = message.attachments.find(({ filename }) => filename.startsWith(`${role}.`));
  if (!found) {
    throw new Error(`there is no ${role}: ${message.attachments.map(({ filename }) => filename).join(", ")}`);
  }
  return found;
}

/** What the service was sent, each picture once. */
export function sentTo(
  world: World,
): readonly { readonly style: string; readonly fields: Readonly<Record<string, string>> }[] {
  return world.style.ledger.flatMap(({ sent }) => (sent ? [sent] : []));
}

/** How often the service was asked for a picture. */
export function asksOf(world: World): number {
  return world.style.ledger.filter(({ path }) => path === "/v1/process").length;
}

/** Waits for something that follows from what was done, in real time. */
export async function until(happened: () => boolean, deadlineMs = 30_000): Promise<void> {
  const endMs = performance.now() + deadlineMs;
  while (!happened()) {
    if (performance.now() > endMs) {
      throw new Error("it did not happen");
    }
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

/**
 * Turns the clock on in small steps until something is done, at a pace that lets a living service be in time: waits of
 * the bot follow the clock, and nothing else would move it.
 */
export async function turnUntil<T>(world: World, waiting: Promise<T>, stepMs = 20): Promise<T> {
  const state = { settled: false };
  const settle = (): void => {
    state.settled = true;
  };
  waiting.then(settle, settle);
  while (!state.settled) {
    await world.clock.advance(stepMs);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  return waiting;
}
