// The inspector's fault switches for Discord and for the transport service. Each is turned on in the panel, and a
// member's action meets the fault; afterwards the bot answers as before.
import { describe, expect, it } from "vitest";
import { noChromium, PAGE_TESTS, runCommand, waitForVisible, useVisit } from "../support/browser.ts";
import { meetEach, openFaults, seeAnswer, switchesOf, type Meet } from "../support/fault-switches.ts";

/** None of these stations was asked for before, so each question goes upstream. */
const STATIONS = ["Leeds", "Hull", "Derby", "Crewe", "Ely", "Bath Spa", "Stafford", "Selby", "Malton"];

const askAbout: Meet = (page) => runCommand(page, "/about ");
const askForTrains: Meet = (page, round) =>
  runCommand(page, `/departures station: ${STATIONS[round % STATIONS.length]}`);

describe.skipIf(noChromium)("the fault switches", PAGE_TESTS, () => {
  const here = useVisit();

  it("can each be turned on and off, and are counted while they are on", async () => {
    const visit = here();
    const page = await openFaults(visit);
    const panel = page.getByRole("tabpanel");
    const count = await panel.getByRole("switch").count();
    expect(count).toBe((await switchesOf(visit.world, "lasting")).length);
    for (let index = 0; index < count; index += 1) {
      await panel.getByRole("switch").nth(index).click();
    }
    await waitForVisible(page.getByRole("tab", { name: `Faults ${count} on` }));
    expect(await panel.getByRole("switch", { checked: true }).count()).toBe(count);
    await panel.getByRole("button", { name: "All off" }).click();
    await waitForVisible(page.getByText("All clear: no faults are on."));
  });

  it.each([
    ["discord", askAbout],
    ["gateway", askAbout],
    ["transport", askForTrains],
  ] as const)("cause each one-off fault of %s once, and the bot continues", async (target, meet) => {
    const visit = here();
    const page = await openFaults(visit);
    await meetEach(visit, page, target, meet);
    await seeAnswer(page, "/help ");
    expect(visit.world.bot.isRunning).toBe(true);
  });

  it("cause each momentary fault of the gateway, and the bot recovers", async () => {
    const visit = here();
    const page = await openFaults(visit);
    const all = await switchesOf(visit.world, "once");
    const moments = all.filter(({ target }) => target === "gateway");
    expect(moments).toHaveLength(4);
    for (const { label } of moments) {
      await page.getByRole("button", { name: `${label}, now` }).click();
      await waitForVisible(page.getByText(`Done: ${label.toLowerCase()}.`));
      await seeAnswer(page, "/about ");
    }
  });
});
