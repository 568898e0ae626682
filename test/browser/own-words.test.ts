// Messages that are deleted afterwards, by their author or by a moderator.
import { describe, expect, it } from "vitest";
import {
  noChromium,
  PAGE_TESTS,
  useVisit,
  waitForHidden,
  messagesOf,
  runCommand,
  waitForText,
  waitForVisible,
} from "../support/browser.ts";

describe.skipIf(noChromium)("posted messages", PAGE_TESTS, () => {
  const here = useVisit();

  it("are deleted once their author confirms", async () => {
    const { open } = here();
    const page = await open({ member: "Mary" });
    await runCommand(page, "Better unsaid");
    const message = messagesOf(page).filter({ hasText: "Better unsaid" });
    const ask = async (answer: "accept" | "dismiss") => {
      const asked = page.waitForEvent("dialog");
      await (await waitForText(page, "Better unsaid")).click({ button: "right" });
      const chosen = page.getByRole("menuitem", { name: "Delete message" }).click();
      await (await asked)[answer]();
      await chosen;
    };
    await ask("dismiss");
    await ask("accept");
    await waitForHidden(message);
  });

  it("of boards are posted again at the next slot if a moderator deletes them", async () => {
    const { open, world } = here();
    const { trains } = world.channels;
    const ada = world.member("Ada");
    const draft = await ada.slash(trains, "board subscribe", { station: "York", every: "5 minutes" });
    await ada.click(draft.message, "Save");
    const isBoard = ({ author, ephemeral }: { author: { bot: boolean }; ephemeral: boolean }) =>
      author.bot && !ephemeral;
    const advanceAndTick = async () => {
      await world.clock.advance(5 * 60_000);
      await world.tick();
    };
    await advanceAndTick();
    const first = await ada.waitForMessage(trains, isBoard);

    const page = await open({ member: "Grace" });
    await page.getByRole("button", { name: "trains", exact: true }).click();
    const board = await waitForVisible(page.locator(`#message-${first.id}`));
    await board.focus();
    await page.keyboard.press("Enter");
    page.once("dialog", (question) => void question.accept());
    await page.getByRole("menuitem", { name: "Delete message" }).click();
    await waitForHidden(board);
    await advanceAndTick();
    const next = await ada.waitForMessage(trains, isBoard);
    expect(next.id).not.toBe(first.id);
    await waitForVisible(page.locator(`#message-${next.id}`));
  });
});
