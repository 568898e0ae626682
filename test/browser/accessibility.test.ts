// Checks the page's main states with axe-core: no serious finding, at both widths, light and dark.
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { Page } from "../../sandbox/visit/chromium.ts";
import {
  noChromium,
  PAGE_TESTS,
  useVisit,
  messagesOf,
  openPanel,
  runCommand,
  waitForText,
  waitForVisible,
} from "../support/browser.ts";

const AXE = await readFile(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");

/** The parts of axe's findings that are used here. */
const findings = z.array(
  z.object({
    id: z.string(),
    impact: z.string().nullable(),
    nodes: z.array(z.object({ target: z.array(z.unknown()), failureSummary: z.string().optional() })),
  }),
);

/** A line for each serious or critical finding, of every rule or of one. */
async function findingsOf(page: Page, rule?: string): Promise<string[]> {
  // Evaluated through the browser's debugger, because the page's policy allows no foreign script.
  if ((await page.evaluate("typeof axe")) === "undefined") {
    await page.evaluate(AXE);
  }
  const options = rule === undefined ? {} : { runOnly: [rule] };
  const script = `axe.run(${JSON.stringify(options)}).then(({ violations }) => violations)`;
  const found = findings.parse(await page.evaluate(script));
  return found
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id}: ${JSON.stringify(target)} ${failureSummary ?? ""}`),
    );
}

interface State {
  readonly name: string;
  readonly reach: (page: Page) => Promise<unknown>;
}

const STATES: readonly State[] = [
  {
    name: "greeting",
    reach: (page) => waitForVisible(page.getByRole("button", { name: /^Ask for trains/ })),
  },
  {
    name: "command box with suggestions",
    async reach(page) {
      await page.getByRole("textbox", { name: /^Message / }).click();
      await page.keyboard.insertText("/departures ");
      await page.keyboard.type("Lee");
      await waitForVisible(page.getByRole("option", { name: /^Leeds/ }));
    },
  },
  {
    name: "conversation with a board",
    async reach(page) {
      await page.keyboard.press("Escape");
      await page.keyboard.press("Escape");
      await runCommand(page, "/departures station: York");
      await waitForVisible(messagesOf(page).getByRole("button", { name: "Later" }).last());
      await runCommand(page, "/board list ");
      await waitForVisible(page.getByText("Only you can see this").last());
    },
  },
  {
    name: "menu of a message",
    async reach(page) {
      await runCommand(page, "Hello @Grace, from here");
      await waitForText(page, "Hello @Grace, from here");
      await messagesOf(page).last().click({ button: "right" });
      await waitForVisible(page.locator("[role=menuitem]:focus"));
    },
  },
  {
    name: "list of a menu",
    async reach(page) {
      await page.keyboard.press("Escape");
      await messagesOf(page).getByRole("combobox", { name: "Open a train…" }).last().click();
      await waitForVisible(page.getByRole("listbox"));
    },
  },
  {
    name: "form",
    async reach(page) {
      await page.keyboard.press("Escape");
      await runCommand(page, "/video account link ");
      await waitForVisible(page.getByRole("dialog"));
    },
  },
  ...["Traffic", "Services", "Faults", "Clock", "Bot"].map((tab, index) => ({
    name: `inspector: ${tab}`,
    async reach(page: Page) {
      if (index === 0) {
        await page.keyboard.press("Escape");
        await openPanel(page, tab);
      }
      await page.getByRole("tab", { name: tab }).click();
      await waitForVisible(page.getByRole("tabpanel", { name: tab }));
    },
  })),
  {
    name: "no answer from the sandbox",
    async reach(page) {
      await page.route("**/_sandbox/events", (route) => route.abort());
      await page.reload();
      await waitForVisible(page.getByRole("alert").getByText("npm run sandbox"));
    },
  },
];

describe.skipIf(noChromium)("accessibility", PAGE_TESTS, () => {
  const here = useVisit();

  // Light and dark differ only in colours, so each state is checked against every rule in one of them.
  it.each([
    ["desktop", "light", "dark"],
    ["phone", "dark", "light"],
  ] as const)("has no serious finding on a %s, %s and %s", async (device, colours, otherColours) => {
    const { open } = here();
    const page = await open({ device, colours });
    const all = new Map<string, string>();
    for (const { name, reach } of STATES) {
      await reach(page);
      const found = await findingsOf(page);
      await page.emulateMedia({ colorScheme: otherColours });
      found.push(...(await findingsOf(page, "color-contrast")));
      await page.emulateMedia({ colorScheme: colours });
      for (const finding of found) {
        all.set(finding, all.get(finding) ?? name);
      }
    }
    expect([...all]).toEqual([]);
  });
});
