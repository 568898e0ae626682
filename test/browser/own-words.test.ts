// What becomes of messages afterwards: changed by who wrote them, taken away by them or by a moderator.
import { describe, expect, it } from "vitest";
import { noChromium, PAGE_TESTS, useVisit, gone, messagesOf, run, said, seen } from "../support/browser.ts";

describe.skipIf(noChromium)("messages that stand there", PAGE_TESTS, () => {
  const here = useVisit();

  it("the last of one's own is changed with the arrow key, and others see it", async () => {
    const { open, world } = here();
    const page = await open({ member: "Alan" });
    const other = await open({ member: "Mary" });
    await run(page, "Hello @Mary, from Leeds");
    await said(other, "Hello @Mary, from Leeds");
    await said(page, "Hello @Mary, from Leeds");
    await page.getByRole("textbox", { name: /^Message / }).click();
    await page.keyboard.press("ArrowUp");
    const editor = page.getByRole("textbox", { name: "Edit message" });
    // As it was written, not as Discord reads it.
    await expect.poll(() => editor.inputValue()).toBe("Hello @Mary, from Leeds");
    await editor.fill("Hello @Mary, from York");
    await page.keyboard.press("Enter");
    const changed = messagesOf(other).filter({ hasText: "from York" });
    await seen(changed.getByText("(edited)"));
    await gone(editor);
    expect(world.member("Mary").messages(world.channels.general).at(-1)?.pings).toEqual([
      world.member("Mary").id,
    ]);
    // Only Alan is offered to change it.
    await changed.click({ button: "right" });
    await seen(other.getByRole("menuitem", { name: "Reply" }));
    expect(await other.getByRole("menuitem", { name: "Edit message" }).count()).toBe(0);
  });

  it("words that are left as they were, or not wanted any more, change nothing", async () => {
    const { open } = here();
    const page = await open({ member: "Mary" });
    await run(page, "As it was");
    const message = messagesOf(page).filter({ hasText: "As it was" });
    await (await said(page, "As it was")).click({ button: "right" });
    await page.getByRole("menuitem", { name: "Edit message" }).click();
    const editor = page.getByRole("textbox", { name: "Edit message" });
    await editor.fill("As it will never be");
    await page.keyboard.press("Escape");
    await gone(editor);
    await said(page, "As it was");
    expect(await message.getByText("(edited)").count()).toBe(0);
  });

  it("without any words left, deletion is offered, and asked for twice", async () => {
    const { open } = here();
    const page = await open({ member: "Mary" });
    await run(page, "Better unsaid");
    const message = messagesOf(page).filter({ hasText: "Better unsaid" });
    await message.hover();
    await message.getByRole("button", { name: "Edit", exact: true }).click();
    await page.getByRole("textbox", { name: "Edit message" }).fill("");
    await page.keyboard.press("Enter");
    const question = page.getByRole("dialog", { name: "Delete message" });
    await seen(question.getByText("Better unsaid"));
    await question.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("textbox", { name: "Edit message" }).press("Escape");
    await said(page, "Better unsaid");

    await message.click({ button: "right" });
    await page.getByRole("menuitem", { name: "Delete message" }).click();
    await question.getByRole("button", { name: "Delete" }).click();
    await gone(message);
  });

  it("a board that a moderator deletes comes anew at its next time", async () => {
    const { open, world } = here();
    const { trains } = world.channels;
    const ada = world.member("Ada");
    const draft = await ada.slash(trains, "board subscribe", { station: "York", every: "5 minutes" });
    await ada.click(draft.message, "Save");
    const isBoard = ({ author, ephemeral }: { author: { bot: boolean }; ephemeral: boolean }) =>
      author.bot && !ephemeral;
    const turn = async () => {
      await world.clock.advance(5 * 60_000);
      await world.tick();
    };
    await turn();
    const first = await ada.waitForMessage(trains, isBoard);

    const page = await open({ member: "Grace" });
    await page.getByRole("button", { name: "trains", exact: true }).click();
    const board = await seen(page.locator(`#message-${first.id}`));
    await board.focus();
    await page.keyboard.press("Enter");
    await page.getByRole("menuitem", { name: "Delete message" }).click();
    await page
      .getByRole("dialog", { name: "Delete message" })
      .getByRole("button", { name: "Delete" })
      .click();
    await gone(board);
    await turn();
    const next = await ada.waitForMessage(trains, isBoard);
    expect(next.id).not.toBe(first.id);
    await seen(page.locator(`#message-${next.id}`));
  });
});
