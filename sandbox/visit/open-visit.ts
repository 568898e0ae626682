// A sandbox with its page, and a browser that visits it, for tests, benchmarks and the README's pictures.
import { SEED } from "../options.ts";
import { createPageRoutes, type PageRoutes } from "../page/serve-page.ts";
import { openWorld, type World, type WorldOptions } from "../world.ts";
import { launchChromium, type Browser, type Page } from "./chromium.ts";

/** Rush hour on a Friday in winter time, when many trains run. */
export const RUSH_HOUR = "2026-11-20T17:20:00Z";

export interface PageOptions {
  /** `desktop` (default): 1280 by 800. `phone`: 390 by 844, with a touch screen. */
  readonly device?: "desktop" | "phone";
  readonly colours?: "light" | "dark";
  /** Screen pixels for each CSS pixel, in each direction. Default 1. */
  readonly scale?: number;
  /** The member to play. Default: the page's own choice. */
  readonly member?: string;
}

export interface Visit extends AsyncDisposable {
  readonly world: World;
  readonly browser: Browser;
  readonly address: string;
  /** The errors of the page's scripts, in any tab. */
  readonly complaints: readonly string[];
  /** Opens the page as on a first visit, with nothing stored in the browser. */
  readonly open: (options?: PageOptions) => Promise<Page>;
}

/** How long each action on the page may take. */
const DEADLINE_MS = 30_000;

const SIZES = { desktop: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } } as const;

/** Opens a visit. `executablePath` is Chromium's. By default, the bot runs inside this process, and the clock runs. */
export function openVisit(executablePath: string, options: WorldOptions = {}): Promise<Visit> {
  return openVisitIn(launchChromium(executablePath), createPageRoutes(), options);
}

/** Like `openVisit`, in a browser that the caller starts, with a page that several visits may share. */
export async function openVisitIn(
  starting: Promise<Browser>,
  page: PageRoutes,
  options: WorldOptions = {},
): Promise<Visit> {
  const [world, browser] = await Promise.all([
    openWorld({ clock: "running", at: RUSH_HOUR, seed: SEED, ...options }),
    starting,
    page.ready,
  ]);
  world.discord.mount("/", page.routes);
  const complaints: string[] = [];
  const address = world.discord.baseUrl;
  return {
    world,
    browser,
    address,
    complaints,
    async open({ device = "desktop", colours = "light", scale = 1, member }: PageOptions = {}) {
      const isPhone = device === "phone";
      const context = await browser.newContext({
        viewport: SIZES[device],
        hasTouch: isPhone,
        isMobile: isPhone,
        deviceScaleFactor: scale,
        colorScheme: colours,
        reducedMotion: "reduce",
        locale: "en-GB",
        timezoneId: "Europe/London",
      });
      context.setDefaultTimeout(DEADLINE_MS);
      const tab = await context.newPage();
      tab.on("pageerror", (error) => complaints.push(String(error)));
      tab.on("console", (message) => {
        // A request that the sandbox refuses is not an error of the page.
        if (message.type() === "error" && !message.text().startsWith("Failed to load resource")) {
          complaints.push(message.text());
        }
      });
      await tab.goto(member === undefined ? address : `${address}/?member=${member}`);
      await tab.getByRole("main").waitFor();
      return tab;
    },
    async [Symbol.asyncDispose]() {
      await browser.close();
      await world.close();
    },
  };
}
