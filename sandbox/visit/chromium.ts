// The one door to playwright-core: Chromium as the machine has it, without a window.
import { spawnSync } from "node:child_process";
import { delimiter, join } from "node:path";
import { chromium, type Browser, type BrowserServer } from "playwright-core";

export type { Browser, BrowserServer, Locator, Page } from "playwright-core";

const NAMES = ["chromium", "chromium-browser"];

/**
 * Chromium obeys only the last such list, so this one repeats Playwright's. The last three are pop-ups of an address bar
 * that nobody sees: with each tab, Chromium would load two pages for them, 0.4 s of processor time.
 */
const DISABLED_FEATURES = [
  "AvoidUnnecessaryBeforeUnloadCheckSync,DestroyProfileOnBrowserClose,LensOverlay,MediaRouter,PaintHolding",
  "HttpsUpgrades,HttpsFirstBalancedModeAutoEnable,OptimizationHints,NetworkTimeServiceQuerying,AimEnabled",
  "PreconnectToSearch,WebUIOmniboxPopup,WebUIOmniboxAimPopup,WebUIOmniboxFullPopup",
];

/** It stays on this machine: nothing is fetched, reported or kept. */
const FLAGS = [
  `--disable-features=${DISABLED_FEATURES.join(",")}`,
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** `CHROMIUM`, or the first of its usual names on the `PATH`; `undefined` where there is none. */
export function findChromium(env: Readonly<NodeJS.ProcessEnv> = process.env): string | undefined {
  const folders = (env["PATH"] ?? "").split(delimiter).filter((folder) => folder !== "");
  const named = env["CHROMIUM"] ?? "";
  const places = folders.flatMap((folder) => NAMES.map((name) => join(folder, name)));
  return (named === "" ? places : [named]).find(runs);
}

/** Starts it with an empty profile of its own, which is gone when it ends. Throws where it does not start. */
export function launchChromium(executablePath: string): Promise<Browser> {
  return chromium.launch(optionsFor(executablePath));
}

/** Starts one that several processes share, each with `connectChromium`. Throws where it does not start. */
export function serveChromium(executablePath: string): Promise<BrowserServer> {
  return chromium.launchServer(optionsFor(executablePath));
}

/** To close it ends what was opened through it, and leaves Chromium to the others. */
export function connectChromium(endpoint: string): Promise<Browser> {
  return chromium.connect(endpoint);
}

function optionsFor(executablePath: string) {
  // In containers its own sandbox needs rights that nobody gives; it only ever opens our page.
  return { executablePath, headless: true, chromiumSandbox: false, args: [...FLAGS] };
}

/** A package may leave a program behind that only says what to install instead. */
function runs(path: string): boolean {
  return spawnSync(path, ["--version"], { stdio: "ignore" }).status === 0;
}
