// The only importer of playwright-core. Runs the machine's own Chromium without a window.
import { spawnSync } from "node:child_process";
import { delimiter, join } from "node:path";
import { chromium, type Browser, type BrowserServer } from "playwright-core";

export type { Browser, BrowserServer, Locator, Page } from "playwright-core";

const NAMES = ["chromium", "chromium-browser"];

/**
 * Chromium obeys only the last list of this kind, so this one repeats Playwright's. The last three features are pop-ups
 * of the address bar, which is invisible here. For each tab, they would load two pages, 0.4 s of processor time.
 */
const DISABLED_FEATURES = [
  "AvoidUnnecessaryBeforeUnloadCheckSync,DestroyProfileOnBrowserClose,LensOverlay,MediaRouter,PaintHolding",
  "HttpsUpgrades,HttpsFirstBalancedModeAutoEnable,OptimizationHints,NetworkTimeServiceQuerying,AimEnabled",
  "PreconnectToSearch,WebUIOmniboxPopup,WebUIOmniboxAimPopup,WebUIOmniboxFullPopup",
];

/** Keep Chromium from fetching, reporting or storing anything of its own. */
const FLAGS = [
  `--disable-features=${DISABLED_FEATURES.join(",")}`,
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/**
 * The path in `CHROMIUM`, or else the first Chromium on the `PATH`, preferably with one of these names; `undefined` if
 * there is none that runs.
 */
export function findChromium(preferred: readonly string[] = []): string | undefined {
  const { env } = process;
  const folders = (env["PATH"] ?? "").split(delimiter).filter((folder) => folder !== "");
  const named = env["CHROMIUM"] ?? "";
  const places = [...preferred, ...NAMES].flatMap((name) => folders.map((folder) => join(folder, name)));
  return (named === "" ? places : [named]).find(runs);
}

/** Starts Chromium with an empty profile, which is deleted when it ends. Throws if it does not start. */
export function launchChromium(executablePath: string): Promise<Browser> {
  return chromium.launch(optionsFor(executablePath));
}

/** Starts a Chromium that several processes share through `connectChromium`. Throws if it does not start. */
export function serveChromium(executablePath: string): Promise<BrowserServer> {
  return chromium.launchServer(optionsFor(executablePath));
}

/** Connects to a shared Chromium. Closing the connection closes its own pages and leaves Chromium running. */
export function connectChromium(endpoint: string): Promise<Browser> {
  return chromium.connect(endpoint);
}

function optionsFor(executablePath: string) {
  // In containers, Chromium's own sandbox needs rights that are rarely granted. Here it opens only our page.
  return { executablePath, headless: true, chromiumSandbox: false, args: [...FLAGS] };
}

/** Whether a program works. Some packages install a placeholder that only says what to install instead. */
function runs(path: string): boolean {
  return spawnSync(path, ["--version"], { stdio: "ignore" }).status === 0;
}
