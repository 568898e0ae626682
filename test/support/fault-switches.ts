// The switches for faults, as tests of the inspector turn them: one after another, each met by what a member does.
import { expect } from "vitest";
import type { FaultState, FaultSwitch } from "../../sandbox/control/api/faults.ts";
import type { Target } from "../../sandbox/control/api/faults.ts";
import type { Locator, Page } from "../../sandbox/visit/chromium.ts";
import type { Visit } from "../../sandbox/visit/open-visit.ts";
import type { World } from "../../sandbox/world.ts";
import { openControl } from "../sandbox/control/ask-control.ts";
import { openPanel, runCommand, waitForVisible } from "./browser.ts";

/** Longer than any of the services asks the bot to stay away. */
const LATER_MS = 2 * 3_600_000;

/** How often a member tries to meet a fault. */
const TRIES = 6;
/** Real milliseconds for a try, and for what follows once the member has done it. */
const TRY_MS = 15_000;
const SOON_MS = 4_000;

/** What a member does to meet a fault; `round` counts from 0. It may fail, and its answer may never come. */
export type Meet = (page: Page, round: number) => Promise<unknown>;

export async function openFaults({ open }: Visit): Promise<Page> {
  const page = await open();
  await openPanel(page, "Faults");
  await waitForVisible(page.getByRole("switch").first());
  return page;
}

/** Those that are on until they are met or turned off, in the order of the panel, or those that happen at once. */
export async function switchesOf(world: World, kind: FaultSwitch["kind"]): Promise<readonly FaultSwitch[]> {
  await using control = await openControl(world);
  const { switches } = await control.get<FaultState>("/faults");
  return switches.filter((one) => one.kind === kind);
}

/** Turns on each switch of a target, once, and waits until it is off again because it was met. */
export async function meetEach({ world }: Visit, page: Page, target: Target, meet: Meet): Promise<void> {
  const lasting = await switchesOf(world, "lasting");
  const acts: Promise<unknown>[] = [];
  for (const { id } of lasting.filter((one) => one.target === target)) {
    const place = lasting.findIndex((one) => one.id === id);
    const toggle = page.getByRole("tabpanel").getByRole("switch").nth(place);
    // At once met, maybe, by what the bot still had in hand: the switch itself need not be seen to be on.
    // Other answers may come as well, e.g. to a command that was sent before.
    const turnedOn = page.waitForResponse(
      (response) =>
        response.request().method() === "POST" && new URL(response.url()).pathname.includes("/faults"),
    );
    await toggle.click();
    expect((await turnedOn).ok()).toBe(true);
    for (let isMet = false, tries = 1; !isMet; tries += 1) {
      const act = meet(page, acts.length).catch(() => undefined);
      acts.push(act);
      isMet = await Promise.race([turnsOff(toggle, TRY_MS), act.then(() => turnsOff(toggle, SOON_MS))]);
      // Whoever was told to come later does. The bot may hear of it after the switch is off: then it stays away from
      // the next fault too, and a member tries again.
      await world.clock.advance(LATER_MS);
      if (!isMet && tries === TRIES) {
        expect.fail(`${id} is not met`);
      }
    }
  }
  await Promise.all(acts);
}

function turnsOff(toggle: Locator, timeout: number): Promise<boolean> {
  return expect
    .poll(() => toggle.getAttribute("aria-checked"), { timeout })
    .toBe("false")
    .then(
      () => true,
      () => false,
    );
}

/**
 * Runs a command until it is answered: what the bot did not hear of is tried again, as the page offers; what nobody
 * was there to take still stands in the box.
 */
export async function seeAnswer(page: Page, line: string): Promise<void> {
  const last = () => page.locator("li.message[id]").last().getAttribute("id");
  const before = await last();
  await runCommand(page, line);
  const again = page.getByRole("button", { name: "Try again" }).last();
  const kept = page.getByRole("button", { name: "Run command" });
  const look = async () => {
    for (const button of [again, kept]) {
      if (await button.isVisible()) {
        await button.click();
      }
    }
    return last();
  };
  await expect.poll(look, { timeout: 20_000 }).not.toBe(before);
}
