// Helpers for tests of the page: one visit for each `describe`, and checks after every test.
import { afterAll, afterEach, beforeAll, expect, inject } from "vitest";
import { createPageRoutes } from "../../sandbox/page/serve-page.ts";
import { connectChromium, type Locator, type Page } from "../../sandbox/visit/chromium.ts";
import { openVisitIn, type Visit } from "../../sandbox/visit/open-visit.ts";
import type { World, WorldOptions } from "../../sandbox/world.ts";
import type { SharedPage } from "./chromium-server.ts";

const answer = await fetch(inject("chromiumUrl"));

/** Whether Chromium is missing, so that tests of the page are skipped. */
export const noChromium = !answer.ok;

const shared = noChromium ? undefined : await readShared(answer);
const pageRoutes = createPageRoutes(Promise.resolve(shared?.files ?? []));

if (noChromium) {
  process.stdout.write(`skipped: tests of the page, since ${await answer.text()}\n`);
}

async function readShared(response: Response) {
  // chromium-server.ts wrote it in this form.
  const { endpoint, problem, files } = (await response.json()) as SharedPage;
  if (problem !== undefined) {
    throw new Error(`the page cannot be built: ${problem}`);
  }
  return {
    endpoint,
    files: files.map(({ path, base64 }) => ({ path, bytes: Buffer.from(base64, "base64") })),
  };
}

/** A test of the page has many steps, and a machine under load is slow. */
const STORY_MS = 120_000;

/**
 * A page on a busy machine may miss an event, such as a key pressed before the focus has moved, so a failed test is
 * retried.
 */
export const PAGE_TESTS = { timeout: STORY_MS, retry: 2 };

interface VisitOptions extends WorldOptions {
  /** Runs before the first test. */
  readonly prepare?: (world: World) => Promise<void>;
  /** Runs after the last test. */
  readonly tidy?: () => Promise<void> | undefined;
}

/**
 * Opens one sandbox for the tests of a `describe` and returns its visit. After each test, its tabs are closed, and its
 * page must not have logged any errors.
 */
export function useVisit(options: VisitOptions = {}): () => Visit {
  let visit: Visit | undefined;
  beforeAll(async () => {
    visit = await openVisitIn(connectChromium(shared?.endpoint ?? ""), pageRoutes, options);
    await options.prepare?.(visit.world);
  }, STORY_MS);
  afterEach(async () => {
    await Promise.all(visit?.browser.contexts().map((context) => context.close()) ?? []);
    expect(visit?.complaints).toEqual([]);
  });
  afterAll(async () => {
    await options.tidy?.();
    await visit?.[Symbol.asyncDispose]();
  });
  return () => {
    if (visit === undefined) {
      throw new Error("the browser did not start");
    }
    return visit;
  };
}

/** Waits until an element is visible, and returns it. */
export async function waitForVisible(what: Locator): Promise<Locator> {
  await what.waitFor();
  return what;
}

/** Waits until an element is hidden or gone. */
export async function waitForHidden(what: Locator): Promise<void> {
  await what.waitFor({ state: "hidden" });
}

/** The messages of the open channel, oldest first. */
export function messagesOf(page: Page): Locator {
  return page.locator("li.message");
}

/** Waits for a message with exactly this text. */
export function waitForText(page: Page, words: string): Promise<Locator> {
  return waitForVisible(messagesOf(page).getByText(words, { exact: true }).last());
}

/** Replaces the text of the message box, e.g. by `/departures station: York` or `/help `, and sends it. */
export async function runCommand(page: Page, line: string): Promise<void> {
  await page.getByRole("textbox", { name: /^Message / }).click();
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.insertText(line);
  await page.keyboard.press("Enter");
}

export async function openPanel(page: Page, tab: string): Promise<void> {
  await page.getByRole("button", { name: "Inspector", exact: true }).click();
  await page.getByRole("tab", { name: tab }).click();
}

/** Reads a numeric property of an element, e.g. `naturalWidth` of a picture. */
export async function readNumber(what: Locator, property: string): Promise<number> {
  const value: unknown = await what.evaluate((node: object, name) => Reflect.get(node, name), property);
  return typeof value === "number" ? value : Number.NaN;
}
