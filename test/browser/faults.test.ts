// The inspector's fault switches. What each of them causes is tested without the page, in test/sandbox/control.
import { describe, expect, it } from "vitest";
import type { FaultState, FaultSwitch } from "../../sandbox/control/api/faults.ts";
import type { Page } from "../../sandbox/visit/chromium.ts";
import {
  messagesOf,
  noChromium,
  openPanel,
  PAGE_TESTS,
  runCommand,
  useVisit,
  waitForVisible,
} from "../support/browser.ts";
import { openControl } from "../sandbox/control/ask-control.ts";

describe.skipIf(noChromium)("the fault switches", PAGE_TESTS, () => {
  const here = useVisit();

  async function openFaults(): Promise<Page> {
    const page = await here().open();
    await openPanel(page, "Faults");
    await waitForVisible(page.getByRole("switch").first());
    return page;
  }

  async function readSwitches(): Promise<readonly FaultSwitch[]> {
    await using control = await openControl(here().world);
    return (await control.get<FaultState>("/faults")).switches;
  }

  it("can each be turned on and off, and are counted while they are on", async () => {
    const page = await openFaults();
    const panel = page.getByRole("tabpanel");
    const count = await panel.getByRole("switch").count();
    expect(count).toBe((await readSwitches()).filter(({ kind }) => kind === "lasting").length);
    for (let index = 0; index < count; index += 1) {
      await panel.getByRole("switch").nth(index).click();
    }
    await waitForVisible(page.getByRole("tab", { name: `Faults ${count} on` }));
    expect(await panel.getByRole("switch", { checked: true }).count()).toBe(count);
    await panel.getByRole("button", { name: "All off" }).click();
    await waitForVisible(page.getByText("All clear: no faults are on."));
  });

  it("turn off after the call that they affected, and the bot continues", async () => {
    const page = await openFaults();
    await page.getByRole("switch", { name: "Plan used up" }).click();
    await waitForVisible(page.getByRole("tab", { name: "Faults 1 on" }));
    await runCommand(page, "/departures station: Leeds");
    await waitForVisible(page.getByText("All clear: no faults are on."));
    await seeAnswer(page);
  });

  it("cause each momentary fault of the gateway, and the bot recovers", async () => {
    const page = await openFaults();
    const switches = await readSwitches();
    const moments = switches.filter(({ kind, target }) => kind === "once" && target === "gateway");
    expect(moments).toHaveLength(4);
    for (const { label } of moments) {
      await page.getByRole("button", { name: `${label}, now` }).click();
      await waitForVisible(page.getByText(`Done: ${label.toLowerCase()}.`));
      await seeAnswer(page);
    }
  });
});

/**
 * Asks for help until the bot answers. If the bot missed it, this presses **Try again**; if nobody received it, it is
 * still in the box and is sent again.
 */
async function seeAnswer(page: Page): Promise<void> {
  const answers = messagesOf(page).filter({ hasText: "All commands for…" });
  const before = await answers.count();
  await runCommand(page, "/help ");
  const again = page.getByRole("button", { name: "Try again", exact: true }).last();
  const kept = page.getByRole("button", { name: "Run command" });
  const look = async () => {
    for (const button of [again, kept]) {
      if (await button.isVisible()) {
        await button.click();
      }
    }
    return answers.count();
  };
  await expect.poll(look, { timeout: 20_000 }).toBeGreaterThan(before);
}
