// Turns on the inspector's fault switches one after another; a member's action then triggers each fault.
import { expect } from "vitest";
import type { FaultState, FaultSwitch } from "../../sandbox/control/api/faults.ts";
import type { Target } from "../../sandbox/control/api/faults.ts";
import type { Locator, Page } from "../../sandbox/visit/chromium.ts";
import type { Visit } from "../../sandbox/visit/open-visit.ts";
import type { World } from "../../sandbox/world.ts";
import { openControl } from "../sandbox/control/ask-control.ts";
import { openPanel, runCommand, waitForVisible } from "./browser.ts";

/** Longer than any service asks the bot to wait. */
const LATER_MS = 2 * 3_600_000;

/** How often a member tries to trigger a fault. */
const TRIES = 6;
/** Real milliseconds for a try, and for what follows once the member is done. */
const TRY_MS = 15_000;
const SOON_MS = 4_000;

/** The action that triggers a fault; `round` counts from 0. It may fail or never be answered. */
export type Meet = (page: Page, round: number) => Promise<unknown>;

export async function openFaults({ open }: Visit): Promise<Page> {
  const page = await open();
  await openPanel(page, "Faults");
  await waitForVisible(page.getByRole("switch").first());
  return page;
}

/**
 * The switches that stay on until they are triggered or turned off, in the order of the panel, or those that act at
 * once.
 */
export async function switchesOf(world: World, kind: FaultSwitch["kind"]): Promise<readonly FaultSwitch[]> {
  await using control = await openControl(world);
  const { switches } = await control.get<FaultState>("/faults");
  return switches.filter((one) => one.kind === kind);
}

/** Turns on each switch of a target once, and waits until it is off again because it was triggered. */
export async function meetEach({ world }: Visit, page: Page, target: Target, meet: Meet): Promise<void> {
  const lasting = await switchesOf(world, "lasting");
  const acts: Promise<unknown>[] = [];
  for (const { id } of lasting.filter((one) => one.target === target)) {
    const place = lasting.findIndex((one) => one.id === id);
    const toggle = page.getByRole("tabpanel").getByRole("switch").nth(place);
    // A request that was already under way may trigger it at once, so the switch may never be seen on. Other responses
    // may arrive too, e.g. to a command that was sent before.
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
      // A service may have asked the bot to wait, so time passes. The bot may get that answer after the switch is off:
      // then it does not call the service for the next fault either, and a member tries again.
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
 * Runs a command until it is answered. If the bot missed it, this presses **Try again**; if nobody received it, it is
 * still in the box and is sent again.
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
