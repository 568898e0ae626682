// The first minute of a stranger, who follows what the page says and knows nothing else.
import { describe, expect, it } from "vitest";
import {
  noChromium,
  PAGE_TESTS,
  useVisit,
  readNumber,
  openPanel,
  waitForHidden,
  waitForVisible,
} from "../support/browser.ts";

describe.skipIf(noChromium)("the first minute", PAGE_TESTS, () => {
  const here = useVisit();

  it("a stranger asks for trains, restyles a picture and subscribes a channel", async () => {
    const { open, world } = here();
    const page = await open();
    await page.getByRole("button", { name: /^Ask for trains/ }).click();
    // The page has written the command into the box; it only has to be sent.
    await waitForVisible(page.locator(".composer :focus"));
    await page.keyboard.press("Enter");
    const board = await waitForVisible(page.getByRole("img", { name: /^Departures from York\. As of / }));
    await expect.poll(() => readNumber(board, "naturalWidth")).toBeGreaterThan(500);

    const next = page.getByRole("group", { name: "What to try next" });
    await next.getByRole("button", { name: "Restyle a picture" }).click();
    await waitForVisible(page.getByRole("list", { name: "Files to send" }).getByText("night-train.jpg"));
    await page.keyboard.press("Enter");
    await page.getByRole("combobox", { name: "Pick a style…" }).click();
    await page.getByRole("option", { name: /Watercolour/ }).click();
    await waitForVisible(page.getByRole("button", { name: "Stronger" }));
    expect(world.style.ledger.flatMap(({ sent }) => sent?.style ?? [])).toHaveLength(1);

    await next.getByRole("button", { name: "Add a board to this channel" }).click();
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Save" }).click();
    await waitForVisible(page.getByText("Only you can see this").first());
    // Only the video is left to try, and watching the board live.
    expect(await next.getByRole("button", { disabled: false }).allInnerTexts()).toEqual([
      "Publish a video",
      "Speed up time",
      "",
    ]);
    await next.getByRole("button", { name: "Speed up time" }).click();
    await waitForVisible(page.getByRole("tabpanel", { name: "Clock" }));
    // A reader at the end of the chat stays there, although the chat has become narrower.
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
    // The link does not leave the page: it leads to the message that shows the progress.
    await sent.getByRole("button", { name: "#general › message" }).click();
    await waitForVisible(page.locator("li.message:focus").filter({ hasText: "passing-train.mp4" }));
    await openPanel(page, "Services");
    await world.clock.advance(60_000);
    const film = await waitForVisible(page.getByRole("tabpanel").locator("video"));
    await expect.poll(() => readNumber(film, "duration")).toBeGreaterThan(1);
  });

  it("a page that cannot reach the sandbox says so, and opens once it can", async () => {
    const { open } = here();
    const page = await open();
    await page.route("**/_sandbox/**", (route) => route.abort());
    await page.reload();
    const notice = page.getByRole("alert").getByText("Is npm run sandbox running?");
    await waitForVisible(notice);
    await page.unroute("**/_sandbox/**");
    await waitForVisible(page.getByRole("textbox", { name: /^Message #/ }));
    await waitForHidden(notice);
  });
});
