// The bot ends and comes back in the middle of a conversation, and a board follows the clock that the inspector
// advances.
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openDataFolder } from "../../sandbox/bot/data-folder.ts";
import {
  noChromium,
  PAGE_TESTS,
  useVisit,
  waitForHidden,
  messagesOf,
  openPanel,
  runCommand,
  waitForVisible,
} from "../support/browser.ts";

describe.skipIf(noChromium)("the bot's life", PAGE_TESTS, () => {
  const here = useVisit({
    bot: "process",
    collectsGarbage: false,
    env: { DATABASE_URL: `sqlite:${join(openDataFolder(), "signalbox.db")}` },
  });

  it("buttons from before a restart work after it", async () => {
    const { open, world } = here();
    const page = await open();
    await runCommand(page, "/departures station: York");
    const board = messagesOf(page).filter({ hasText: "Departures from York" }).last();
    await waitForVisible(board.getByRole("button", { name: "Later" }));
    const trains = () => board.locator(".gallery img").first().getAttribute("alt");
    const first = await trains();

    await openPanel(page, "Bot");
    const panel = page.getByRole("tabpanel");
    const { pid, status } = world.bot;
    await panel.getByRole("button", { name: "Restart" }).click();
    await waitForVisible(panel.getByText(`started ${status.starts + 1} times`));
    await waitForVisible(panel.getByText("Ready", { exact: true }));
    expect(world.bot.pid).not.toBe(pid);

    await board.getByRole("button", { name: "Later" }).click();
    await expect.poll(trains).not.toBe(first);
    await board.getByRole("button", { name: "Text" }).click();
    await waitForHidden(board.locator(".gallery"));
  });

  it("a killed bot answers nobody until it is started again", async () => {
    const { open } = here();
    const page = await open();
    await openPanel(page, "Bot");
    const panel = page.getByRole("tabpanel");
    await panel.getByRole("button", { name: "Kill" }).click();
    await waitForVisible(panel.getByText("Stopped", { exact: true }));
    await runCommand(page, "/about ");
    await waitForVisible(page.getByRole("alert").filter({ hasText: "The application did not respond." }));
    await panel.getByRole("button", { name: "Start" }).click();
    await waitForVisible(panel.getByText("Ready", { exact: true }));
    await page.getByRole("button", { name: "Try again" }).click();
    await waitForVisible(messagesOf(page).filter({ hasText: "Uptime" }));
  });

  it("a board follows the clock, in steps and at an hour a minute", async () => {
    const { open, world } = here();
    const page = await open();
    await page.getByRole("button", { name: "trains", exact: true }).click();
    await waitForVisible(page.getByRole("heading", { name: "trains", exact: true }));
    await runCommand(page, "/board subscribe station: Leeds");
    await page.getByRole("button", { name: "Save" }).click();
    await openPanel(page, "Clock");
    const panel = page.getByRole("tabpanel");
    await panel.getByRole("button", { name: "10 minutes" }).click();
    const board = messagesOf(page)
      .filter({ has: page.getByRole("heading", { name: /Leeds/ }) })
      .last();
    const words = () => board.locator(".gallery img").first().getAttribute("alt");
    await waitForVisible(board.locator(".gallery img").first());
    await expect.poll(words).toContain("Departures from Leeds");
    const first = await words();
    await panel.getByRole("switch", { name: "An hour in a minute" }).click();
    // The board is edited without a further step.
    await expect.poll(words, { timeout: 20_000 }).not.toBe(first);
    await panel.getByRole("switch", { name: "An hour in a minute" }).click();
    await expect.poll(() => panel.getByRole("switch").getAttribute("aria-checked")).toBe("false");
    expect(world.bot.isRunning).toBe(true);
  });

  it("each jump leads to the time that it names, and both clocks show the same time, even if it runs fast", async () => {
    const { open } = here();
    const page = await open();
    await openPanel(page, "Clock");
    const panel = page.getByRole("tabpanel");
    const clock = panel.getByRole("timer");
    for (const [jump, time] of [
      ["Rush hour", "08:0"],
      ["Night", "02:3"],
      ["Clocks go forward", "00:3"],
      ["Clocks go back", "01:3"],
    ] as const) {
      await panel.getByRole("button", { name: jump }).click();
      await expect.poll(() => clock.innerText()).toContain(time);
    }
    await waitForVisible(clock.getByText("BST"));
    await panel.getByRole("button", { name: "Now" }).click();
    await expect.poll(() => clock.innerText()).toContain(String(new Date().getFullYear()));

    const fast = panel.getByRole("switch", { name: "An hour in a minute" });
    await fast.click();
    await expect.poll(() => fast.getAttribute("aria-checked")).toBe("true");
    const told = async () => {
      const both: unknown = await page.evaluate(
        `[...document.querySelectorAll(".sandbox-clock time, .big-clock time")].map((one) => one.textContent)`,
      );
      return String(both).split(",");
    };
    const times = new Set<string>();
    await expect
      .poll(async () => {
        const [small = "none", big] = await told();
        expect(small).toBe(big);
        return times.add(small).size;
      })
      .toBeGreaterThan(5);
    await fast.click();
    await expect.poll(() => fast.getAttribute("aria-checked")).toBe("false");
  });

  it("fast time does not double its speed if it is turned off and on at once", async () => {
    const { open } = here();
    const page = await open();
    const held: (() => void)[] = [];
    let most = 0;
    await page.route("**/_sandbox/clock", async (route) => {
      if (route.request().method() === "POST") {
        await new Promise<void>((resolve) => {
          most = Math.max(most, held.push(resolve));
        });
      }
      await route.continue();
    });
    await openPanel(page, "Clock");
    const fast = page.getByRole("switch", { name: "An hour in a minute" });
    await fast.click();
    await expect.poll(() => held).toHaveLength(1);
    await fast.click();
    await fast.click();
    for (let step = 0; step < 3; step += 1) {
      held.shift()?.();
      await expect.poll(() => held.length).toBeGreaterThan(0);
    }
    await fast.click();
    held.forEach((release) => release());
    await expect.poll(() => fast.getAttribute("aria-checked")).toBe("false");
    expect(most).toBe(1);
  });
});
