import { checkChannel } from "../delivery/check-channel.ts";
import { UserError } from "../core/errors.ts";
import type { Messenger } from "../core/ports.ts";
import { refuseUnsupportedInLondon } from "../rail/departures.ts";
import { isLondonCode } from "../rail/london.ts";
import type { Stations } from "../rail/stations.ts";
import { checkTimes } from "../time/parse-schedule.ts";
import { nextSlot } from "../time/slots.ts";
import { type BoardSettings, LONGEST_PLATFORM, MAX_CALLING_AT, MAX_PLATFORMS } from "./boards.ts";

/** Returns the first slot. Throws a UserError that says what to change if no board can run like that. */
export function checkBoardSettings(settings: BoardSettings, stations: Stations, nowMs: number): number {
  checkStations(settings, stations);
  checkPlatforms(settings);
  if (settings.publish && settings.mode === "edit") {
    throw new UserError(
      "Only new messages can be published, and this board edits the same one. Set `mode` to **A new message each time**, or leave `publish` off.",
    );
  }
  checkTimes(settings.schedule);
  const firstSlotMs = nextSlot(settings.schedule, nowMs);
  if (firstSlotMs === undefined) {
    throw new UserError("On that schedule the board would never appear. Please choose other times or days.");
  }
  return firstSlotMs;
}

function checkStations({ kind, station, callingAt, transport }: BoardSettings, stations: Stations): void {
  requireStations([station, ...callingAt], stations);
  const [place, via] = [station, ...callingAt].map((code) => stations.byCrs(code));
  if (place) {
    refuseUnsupportedInLondon({ kind, station: place, via });
  }
  if (isLondonCode(station) && transport !== "all") {
    throw new UserError("Replacement buses aren't listed for London's lines. Leave `only` out.");
  }
  const name = (code: string): string => stations.byCrs(code)?.name ?? code;
  if (callingAt.includes(station)) {
    throw new UserError(
      `This is already a board for ${name(station)}. To filter it, choose another station.`,
    );
  }
  const twice = callingAt.find((code, index) => callingAt.indexOf(code) !== index);
  if (twice !== undefined) {
    throw new UserError(`You've named ${name(twice)} twice. Name each station once.`);
  }
  if (callingAt.length > MAX_CALLING_AT) {
    throw new UserError(`You can filter by up to ${MAX_CALLING_AT} stations. Leave some out.`);
  }
}

/** Throws a UserError if a code is not, or no longer, on the list of stations. */
export function requireStations(codes: readonly string[], stations: Pick<Stations, "byCrs">): void {
  const unknown = codes.find((code) => !stations.byCrs(code));
  if (unknown !== undefined) {
    throw new UserError(`The station ${unknown} isn't on my list any more. Choose another one.`);
  }
}

function checkPlatforms({ platforms }: BoardSettings): void {
  if (platforms.length > MAX_PLATFORMS) {
    throw new UserError(
      `You can filter by up to ${MAX_PLATFORMS} platforms. Leave some out, or name none to see them all.`,
    );
  }
  if (platforms.some((platform) => platform === "" || platform.length > LONGEST_PLATFORM)) {
    throw new UserError("Type platforms like 3 or 4a.");
  }
}

const OTHERWISE = "choose another channel with `channel`";

/** Throws a UserError that says how to fix it. `userId`: who chose the place, if it is new. */
export async function checkPlace(
  messenger: Pick<Messenger, "check">,
  place: { readonly guildId: string; readonly channelId: string; readonly userId?: string },
  { publish }: Pick<BoardSettings, "publish">,
): Promise<void> {
  const words = { act: "keep a board", otherwise: OTHERWISE, withFiles: true };
  const { kind } = await checkChannel(messenger, place, words);
  if (publish && kind !== "announcement") {
    throw new UserError(
      `Messages can only be published from an announcement channel, and <#${place.channelId}> isn't one. Leave \`publish\` off, or ${OTHERWISE}.`,
    );
  }
}
