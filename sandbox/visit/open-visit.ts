// A sandbox with its page, and a browser that visits it: for tests, benches and the pictures in the README.
import { createPageRoutes, type PageRoutes } from "../page/serve-page.ts";
import { openWorld, type World, type WorldOptions } from "../world.ts";
import { launchChromium, type Browser, type Page } from "./chromium.ts";

/** Friday's rush hour, in winter time: many trains run. */
export const RUSH_HOUR = "2026-11-20T17:20:00Z";
/** As `npm run sandbox` has it. */
export const SEED = 38;

/** How somebody looks at the page. */
export interface PageOptions {
  /** Default `desktop`: 1280 by 800. `phone`: 390 by 844, with fingers. */
  readonly device?: "desktop" | "phone";
  readonly colours?: "light" | "dark";
  /** Pixels of the picture for one of the page. Default 1. */
  readonly scale?: number;
  /** Who is played. Default the page's own choice. */
  readonly member?: string;
}

export interface Visit extends AsyncDisposable {
  readonly world: World;
  readonly browser: Browser;
  readonly address: string;
  /** What the page's scripts complained of, in any tab. */
  readonly complaints: readonly string[];
  /** Opens the page as a stranger would: with nothing remembered. */
  readonly open: (options?: PageOptions) => Promise<Page>;
}

/** How long the page may take for what it is asked for. */
const DEADLINE_MS = 30_000;

const SIZES = { desktop: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } } as const;

/** `executablePath` is Chromium's. The bot runs inside this process and the clock runs, unless told otherwise. */
export function openVisit(executablePath: string, options: WorldOptions = {}): Promise<Visit> {
  return openVisitIn(launchChromium(executablePath), createPageRoutes(), options);
}

/** The same, in a browser that starts elsewhere, with a page that others may use too. */
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
        // What the sandbox refuses is an answer, not a mistake of the page.
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
