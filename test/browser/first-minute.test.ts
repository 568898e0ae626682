// The first minute of a stranger, who follows what is written on the page and knows nothing else.
import { describe, expect, it } from "vitest";
import {
  noChromium,
  PAGE_TESTS,
  useVisit,
  readNumber,
  openPanel,
  waitForVisible,
} from "../support/browser.ts";

describe.skipIf(noChromium)("the first minute", PAGE_TESTS, () => {
  const here = useVisit();

  it("a stranger asks for trains, restyles a picture and subscribes a channel", async () => {
    const { open, world } = here();
    const page = await open();
    await page.getByRole("button", { name: /^Ask for trains/ }).click();
    // "It is written into the box below, and you only send it."
    await waitForVisible(page.locator(".composer :focus"));
    await page.keyboard.press("Enter");
    const board = await waitForVisible(page.getByRole("img", { name: /^Departures from York\. As of / }));
    await expect.poll(() => readNumber(board, "naturalWidth")).toBeGreaterThan(500);

    const next = page.getByRole("group", { name: "What to try next" });
    await next.getByRole("button", { name: "Restyle a picture" }).click();
    await waitForVisible(page.getByRole("list", { name: "Files to send" }).getByText("night-train.jpg"));
    await page.keyboard.press("Enter");
    await page.getByRole("combobox", { name: "Pick a style" }).click();
    await page.getByRole("option", { name: /Watercolour/ }).click();
    await waitForVisible(page.getByRole("button", { name: "Stronger" }));
    expect(world.style.ledger.flatMap(({ sent }) => sent?.style ?? [])).toHaveLength(1);

    await next.getByRole("button", { name: "Add a board to this channel" }).click();
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Save" }).click();
    await waitForVisible(page.getByText("Only you can see this").first());
    // Nothing is left to try but the video, and to see the board live.
    expect(await next.getByRole("button", { disabled: false }).allInnerTexts()).toEqual([
      "Publish a video",
      "Speed up time",
      "",
    ]);
    await next.getByRole("button", { name: "Speed up time" }).click();
    await waitForVisible(page.getByRole("tabpanel", { name: "Clock" }));
    // Who reads at the end stays there, though the chat has become narrower.
    await waitForVisible(page.getByText("Only you can see this").last());
    expect(await page.getByText("Jump to present").count()).toBe(0);
  });

  it("a stranger publishes a video, which then plays in the inspector", async () => {
    const { open, world } = here();
    const page = await open();
    await page.getByRole("button", { name: /^Publish a video/ }).click();
    await waitForVisible(page.getByRole("list", { name: "Files to send" }).getByText("passing-train.mp4"));
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Publish now" }).click();
    const sent = await waitForVisible(page.getByText(/Uploading “/));
    // Not out of the page: to the message that tells how it goes.
    await sent.getByRole("button", { name: "#general › message" }).click();
    await waitForVisible(page.locator("li.message:focus").filter({ hasText: "passing-train.mp4" }));
    await openPanel(page, "Services");
    await world.clock.advance(60_000);
    const film = await waitForVisible(page.getByRole("tabpanel").locator("video"));
    await expect.poll(() => readNumber(film, "duration")).toBeGreaterThan(1);
  });
});
