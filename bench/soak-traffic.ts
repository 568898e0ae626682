// The traffic of bench/soak.ts: a fixed mix of commands, buttons, menus and completions, each one interaction.
import sharp from "sharp";
import { COMPONENT_TYPES } from "../sandbox/discord/component-types.ts";
import type { ActorFile, Answer, SeenMessage } from "../sandbox/discord/actors/member-types.ts";
import type { Member } from "../sandbox/discord/actors/member.ts";
import type { Channel } from "../sandbox/discord/entities.ts";
import { walkComponents } from "../sandbox/discord/serialise/message.ts";
import type { World } from "../sandbox/world.ts";
import { readSample } from "../sandbox/page/read-sample.ts";

/** Settles when the member has the whole answer. */
export type Act = () => Promise<unknown>;

export interface Traffic {
  /** The next interaction of the mix. */
  next(): Act;
  /** Writes a message to the bot: no interaction, and answered at most once in a while. */
  write(): Promise<unknown>;
  /** The members' channels; boards have others. */
  readonly channels: readonly Channel[];
  readonly boardChannels: readonly Channel[];
}

const PEOPLE = 40;
const TALK_CHANNELS = 8;
/** Half of them post each time; the others send only changes. */
const BOARDS = 24;
const BOARD_MODES = ["post", "edit", "post", "replace"] as const;
/** The number of messages whose buttons are pressed. */
const MAX_OPEN = 300;
const MINUTE_MS = 60_000;

const STATIONS = (
  "YRK LDS KGX EUS MAN BHM EDB GLC NCL BRI CDF SHF LIV PAD WAT VIC RDG OXF CBG NRW EXD PLY SOU BTN LBA " +
  "DHM DAR HUL DON WKF HUD BDI HGT SCA MLT SKI KGL PBO GRA NNG DBY LEI COV WVH CRE CTR PRE LAN CAR STG PTH ABD INV"
).split(" ");
const TYPED = [
  "y",
  "yor",
  "leed",
  "kings x",
  "manch",
  "birm",
  "edin",
  "new",
  "hudd",
  "scarb",
  "brist",
  "card",
];
const JOURNEYS = STATIONS.slice(0, 24).map((from, index) => ({ from, to: STATIONS[index + 24] ?? "YRK" }));
const PLACES = ["York", "Leeds", "YO24 1AB", "Mill Lane", "53.958,-1.093", "Harrogate", "Station Road"];
const STOP = "32902604A";
const HELP = ["departures", "journey", "watch", "style", "video", "board"];
const BUTTONS: ReadonlySet<string> = new Set(
  "Refresh Later Now Text Picture Arrivals Departures Earlier Return".split(" "),
);
const MISTAKES = [
  ["departures", { station: "Qqqqq" }],
  ["journey", { from: "Xyzzy", to: "Plugh" }],
  ["timetable", { station: "York", time: "25:99" }],
  ["bus", { stop: "3290YYA99999" }],
  ["help", { command: "nothing of this name" }],
  ["watch train", { station: "York", time: "half past never" }],
] as const;

/** Adds the members, channels and boards. */
export async function openTraffic(world: World): Promise<Traffic> {
  const { discord } = world;
  const users = Array.from({ length: PEOPLE }, (_, index) => discord.addUser(`Person ${index + 1}`));
  const memberIds = [world.member("Ada").id, ...users.map(({ id }) => id)];
  const guild = discord.addGuild({ name: "Soak", memberIds });
  const channels = Array.from({ length: TALK_CHANNELS }, (_, index) =>
    discord.addChannel(guild, `talk-${index}`),
  );
  const boardChannels = Array.from({ length: BOARDS }, (_, index) =>
    discord.addChannel(guild, `board-${index}`),
  );
  await subscribe(world.member("Ada"), boardChannels);
  world.style.canned = await picture(1_024, 768);
  const photograph = { name: "IMG_2041.jpg", bytes: await picture(1_600, 1_200) };
  const film = { name: "Passing_train.mp4", bytes: await readSample("passing-train.mp4") };
  return createTraffic(world, { users, channels, boardChannels, photograph, film });
}

/** Each board is due once a minute. */
async function subscribe(owner: Member, channels: readonly Channel[]): Promise<void> {
  for (const [index, channel] of channels.entries()) {
    const asked = await owner.slash(channel, "board subscribe", {
      station: STATIONS[index] ?? "YRK",
      every: "1 minute",
      mode: BOARD_MODES[index % BOARD_MODES.length] ?? "edit",
      view: index % 8 < 4 ? "picture" : "text",
    });
    await owner.click(asked.message, "Save");
  }
}

async function picture(width: number, height: number): Promise<Buffer> {
  const grain = { type: "gaussian", mean: 128, sigma: 50 } as const;
  const small = {
    width: width / 8,
    height: height / 8,
    channels: 3,
    background: "#888",
    noise: grain,
  } as const;
  return sharp(await sharp({ create: small }).png().toBuffer())
    .resize(width, height)
    .jpeg()
    .toBuffer();
}

interface Scene {
  readonly users: readonly { readonly displayName: string }[];
  readonly channels: readonly Channel[];
  readonly boardChannels: readonly Channel[];
  readonly photograph: ActorFile;
  readonly film: ActorFile;
}

function createTraffic(world: World, scene: Scene): Traffic {
  const members = scene.users.map(({ displayName }) => world.member(displayName));
  const open: SeenMessage[] = [];
  /** Acts that follow from an earlier one, e.g. pressing **Save**: they come before the next one of the mix. */
  const following: Act[] = [];
  let turn = 0;
  let written = 0;

  const who = () => pick(members);
  const where = () => pick(scene.channels);

  function keep({ message }: Answer): void {
    if (!message.ephemeral) {
      open.push(message);
      if (open.length > MAX_OPEN) {
        open.shift();
      }
    }
  }

  async function ask(command: string, options: Parameters<Member["slash"]>[2]): Promise<void> {
    keep(await who().slash(where(), command, options));
  }

  const board = (view: "picture" | "text") =>
    ask(pick(["departures", "departures", "arrivals"]), { station: pick(STATIONS), view });

  async function press(): Promise<unknown> {
    // Its current state: somebody else may have pressed meanwhile.
    const now = open.length === 0 ? undefined : who().look(pick(open));
    const labels = now === undefined ? [] : buttonsOf(now).filter((label) => BUTTONS.has(label));
    return now === undefined || labels.length === 0 ? board("text") : who().click(now, pick(labels));
  }

  async function watch(): Promise<void> {
    const member = who();
    const channel = where();
    const asked = await member.slash(channel, "watch train", {
      station: pick(STATIONS),
      time: new Date(world.clock.now() + 30 * MINUTE_MS).toISOString().slice(11, 16),
    });
    const trains = menuOf(asked.message);
    if (trains !== undefined) {
      following.push(async () => {
        const chosen = await member.select(asked.message, trains.id, trains.values.slice(0, 1));
        following.push(() => save(member, channel, chosen.message));
      });
    } else if (buttonsOf(asked.message).includes("Save")) {
      following.push(() => save(member, channel, asked.message));
    }
  }

  async function save(member: Member, channel: Channel, message: SeenMessage): Promise<void> {
    await member.click(message, "Save");
    following.push(async () => {
      const listed = await member.slash(channel, "watch remove");
      const watches = menuOf(listed.message);
      if (watches !== undefined) {
        following.push(() => member.select(listed.message, watches.id, watches.values));
      }
    });
  }

  async function publish(): Promise<void> {
    const member = world.member("Ada");
    const card = await member.slash(where(), "video publish", { file: scene.film });
    following.push(() => member.click(card.message, "Publish now"));
  }

  const mistake = () => {
    const [command, options] = pick(MISTAKES);
    return who().slash(where(), command, options);
  };

  const mix = spread([
    [36, () => board("text")],
    [24, () => board("picture")],
    [36, () => who().complete(where(), "departures", { station: pick(TYPED) }, "station")],
    [44, press],
    [10, () => ask("journey", pick(JOURNEYS))],
    [8, () => ask("places", { query: pick(PLACES) })],
    [4, () => ask("bus", { stop: STOP })],
    [4, () => ask("timetable", { station: pick(STATIONS) })],
    [3, () => ask("network", {})],
    [8, () => who().slash(where(), "help", { command: pick(HELP) })],
    [4, () => who().slash(where(), "help")],
    [6, () => who().slash(where(), "about")],
    [2, watch],
    [1, () => ask("style", { image: scene.photograph, style: pick(["oil", "watercolour", "duotone"]) })],
    [6, mistake],
    [4, inDirectMessages],
  ]);

  function inDirectMessages(): Promise<Answer> {
    const member = who();
    return member.slash(member.dm(), "departures", { station: pick(STATIONS), view: "text" });
  }

  return {
    channels: scene.channels,
    boardChannels: scene.boardChannels,
    next() {
      const followed = following.shift();
      if (followed !== undefined) {
        return followed;
      }
      turn += 1;
      // Once in five minutes.
      return turn % (20 * 300) === 100 ? publish : (mix[turn % mix.length] ?? press);
    },
    write() {
      written += 1;
      const member = who();
      return written % 2 === 0
        ? member.say(member.dm(), "hello")
        : member.mention(where(), "look", [scene.photograph]);
    },
  };
}

/** Each act as often as given, spread evenly by a stride. */
function spread(parts: readonly (readonly [times: number, act: Act])[]): readonly Act[] {
  const acts = parts.flatMap(([times, act]) => Array.from({ length: times }, () => act));
  const stride = [79, 83, 89, 97].find((prime) => acts.length % prime !== 0) ?? 1;
  return acts.map((act, index) => acts[(index * stride) % acts.length] ?? act);
}

function pick<T>(from: readonly T[]): T {
  const found = from[Math.floor(Math.random() * from.length)];
  if (found === undefined) {
    throw new RangeError("there is nothing to pick from");
  }
  return found;
}

/** The labels of enabled buttons. */
function buttonsOf({ components }: SeenMessage): readonly string[] {
  return [...walkComponents(components)]
    .filter(({ type, ...button }) => type === COMPONENT_TYPES.button && button["disabled"] !== true)
    .map((button) => String(button["label"]));
}

function menuOf({ components }: SeenMessage) {
  const menu = [...walkComponents(components)].find(({ type }) => type === COMPONENT_TYPES.stringSelect);
  const options: unknown = menu?.["options"];
  return menu === undefined || !Array.isArray(options)
    ? undefined
    : { id: String(menu["custom_id"]), values: options.map((option) => String(option?.value)) };
}
