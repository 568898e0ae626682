// `npm run pictures` makes the README's pictures: boards as the bot posts them, and screenshots of the sandbox's page,
// which need Chromium. The clock stands still and the trains' seed is fixed, so a picture changes only if the bot or
// the page does.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { findChromium, type Locator, type Page } from "./visit/chromium.ts";
import { SEED, SOURCES } from "./options.ts";
import { RUSH_HOUR, openVisit, type PageOptions, type Visit } from "./visit/open-visit.ts";
import { openWorld } from "./world.ts";

const FOLDER = join(import.meta.dirname, "..", "docs", "images");

interface Picture {
  readonly name: string;
  readonly view: PageOptions;
  /** Brings the page into the state that the picture shows. */
  readonly arrange: (page: Page, visit: Visit) => Promise<unknown>;
  /** The part of the page that the picture shows. Default: the viewport. */
  readonly of?: (page: Page) => Locator;
}

/** The pictures that the bot itself draws in its answers. */
const ANSWERS = [
  { name: "board-tube", command: "departures", options: { station: "King's Cross St. Pancras" } },
  { name: "board-bus", command: "bus", options: { stop: "49001466A" } },
];

/** A train of four coaches that divides at Castleford; the picture shows it late. */
const DIVIDING = { uid: "Y02048", date: "2026-11-20", station: "Sheffield", label: "17:48 Leeds and Goole" };

const PICTURES: readonly Picture[] = [
  {
    name: "page",
    view: { scale: 2 },
    arrange: (page) => askForTrains(page),
  },
  {
    name: "page-dark",
    view: { scale: 2, colours: "dark" },
    arrange: (page) => restyle(page),
  },
  {
    name: "page-inspector",
    view: { scale: 2 },
    async arrange(page, { world }) {
      await subscribe(page);
      await page.getByRole("button", { name: "Inspector", exact: true }).click();
      await page.getByRole("tab", { name: "Clock" }).click();
      await world.clock.advance(10 * 60_000);
      await world.tick();
      await page
        .getByRole("img", { name: /^Departures from Leeds/ })
        .last()
        .waitFor();
    },
  },
  {
    name: "page-phone",
    view: { device: "phone", scale: 2, colours: "dark" },
    arrange: (page) => askForTrains(page),
  },
  {
    name: "train",
    view: { scale: 2, colours: "dark", member: "Grace" },
    arrange: openLateTrain,
    of: (page) => page.getByRole("list", { name: "Messages" }).locator("> li").last(),
  },
];

await drawAnswers();

const executablePath = findChromium();
if (executablePath === undefined) {
  console.log("Chromium isn't on the PATH: install it, or name it in CHROMIUM.");
  process.exitCode = 1;
} else {
  for (const picture of PICTURES) {
    await draw(picture, executablePath);
    console.log(`docs/images/${picture.name}.png`);
  }
}

async function drawAnswers(): Promise<void> {
  await using world = await openWorld({ clock: "still", at: RUSH_HOUR, seed: SEED, sources: SOURCES });
  const member = world.member("Ada");
  for (const { name, command, options } of ANSWERS) {
    const { message } = await member.slash(world.channels.trains, command, options);
    const [picture] = message.attachments;
    if (picture === undefined) {
      throw new Error(`/${command} answered without a picture: ${message.text}`);
    }
    await writeFile(join(FOLDER, `${name}.png`), await member.download(picture));
    console.log(`docs/images/${name}.png`);
  }
}

/** Makes a picture in its own sandbox, so that nothing from another picture appears in it. */
async function draw({ name, view, arrange, of }: Picture, chromium: string): Promise<void> {
  await using visit = await openVisit(chromium, { clock: "still", sources: SOURCES });
  const page = await visit.open(view);
  await arrange(page, visit);
  // The pointer hovers over nothing, and every picture has loaded.
  await page.mouse.move(0, 0);
  await page.waitForLoadState("networkidle");
  const shot = await (of?.(page) ?? page).screenshot({ animations: "disabled" });
  // A palette reduces the file to a third of its size, without a visible difference.
  await sharp(shot)
    .png({ palette: true, effort: 10 })
    .toFile(join(FOLDER, `${name}.png`));
}

async function openLateTrain(page: Page, { world }: Visit): Promise<void> {
  world.transport.trains.order(DIVIDING.uid, DIVIDING.date, { delayMinutes: 9 });
  const grace = world.member("Grace");
  const { general } = world.channels;
  const board = await grace.slash(general, "departures", { station: DIVIDING.station, rows: 10 });
  await grace.select(board.message, "Open a train…", [DIVIDING.label]);
  await page.getByText("Divides at").waitFor();
}

async function tryOut(page: Page, what: RegExp): Promise<void> {
  await page.getByRole("button", { name: what }).first().click();
  await page.getByRole("button", { name: "Run command" }).click();
}

async function askForTrains(page: Page): Promise<void> {
  await tryOut(page, /^Ask for trains/);
  await page.getByRole("button", { name: "Later" }).waitFor();
}

async function restyle(page: Page): Promise<void> {
  await tryOut(page, /^Restyle a picture/);
  await page.getByRole("combobox", { name: "Pick a style…" }).click();
  await page.getByRole("listbox").getByRole("option").first().click();
  await page.getByRole("button", { name: "Stronger" }).waitFor();
}

async function subscribe(page: Page): Promise<void> {
  await tryOut(page, /^Add a board to this channel/);
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("button", { name: "Undo" }).waitFor();
}
