// Several people and what each of them sees and may do, files, message menus, and a phone.
import { describe, expect, it } from "vitest";
import { readSample } from "../../sandbox/page/read-sample.ts";
import type { Page } from "../../sandbox/visit/chromium.ts";
import {
  noChromium,
  PAGE_TESTS,
  useVisit,
  waitForHidden,
  messagesOf,
  readNumber,
  runCommand,
  waitForText,
  waitForVisible,
} from "../support/browser.ts";

/** Drops or pastes a file with the events that a browser sends. */
async function give(page: Page, how: "drop" | "paste", selector: string, name: string): Promise<void> {
  const base64 = Buffer.from(await readSample("night-train.jpg")).toString("base64");
  await page.evaluate(`(async () => {
    const bytes = Uint8Array.from(atob("${base64}"), (letter) => letter.charCodeAt(0));
    const data = new DataTransfer();
    data.items.add(new File([bytes], "${name}", { type: "image/jpeg" }));
    const place = document.querySelector("${selector}");
    const kind = { bubbles: true, cancelable: true };
    if ("${how}" === "paste") {
      place.dispatchEvent(new ClipboardEvent("paste", { ...kind, clipboardData: data }));
    } else {
      for (const type of ["dragenter", "dragover", "drop"]) {
        place.dispatchEvent(new DragEvent(type, { ...kind, dataTransfer: data }));
      }
    }
  })()`);
}

async function play(page: Page, name: string): Promise<void> {
  const played = page.getByRole("combobox", { name: "The member you play" });
  await played.selectOption(name);
  expect(await played.inputValue()).toBe(name);
}

describe.skipIf(noChromium)("people", PAGE_TESTS, () => {
  const here = useVisit();

  it("Enter sends the message once a name was chosen from the list", async () => {
    const { open } = here();
    const page = await open({ member: "Mary" });
    const box = page.getByRole("textbox", { name: /^Message / });
    await box.click();
    await page.keyboard.type("@Gra");
    await waitForVisible(page.getByRole("option", { name: "Grace", exact: true }));
    await page.keyboard.press("Enter");
    await expect.poll(() => box.inputValue()).toBe("@Grace ");
    await waitForHidden(page.getByRole("option", { name: "Grace", exact: true }));
    await page.keyboard.press("Enter");
    await waitForText(page, "@Grace");
  });

  it("a private answer is visible to one member alone, and gone after a reload", async () => {
    const { open } = here();
    const page = await open();
    const other = await open({ member: "Grace" });
    await runCommand(page, "/board list ");
    await waitForVisible(page.getByText("Only you can see this"));
    await runCommand(page, "Is anybody there?");
    await waitForText(other, "Is anybody there?");
    expect(await other.getByText("Only you can see this").count()).toBe(0);

    await play(other, "Ada");
    await waitForText(other, "Is anybody there?");
    await page.reload();
    await waitForText(page, "Is anybody there?");
    expect(await page.getByText("Only you can see this").count()).toBe(0);
  });

  it("a screen reader announces a private answer once, even if another member is played in between", async () => {
    const { open } = here();
    const page = await open();
    const heard = page.getByRole("log", { name: "New messages" }).getByText(/, only to you: /);
    await runCommand(page, "/board list ");
    await heard.waitFor({ state: "attached" });
    await play(page, "Grace");
    await waitForHidden(page.getByText("Only you can see this"));
    await play(page, "Ada");
    await waitForVisible(page.getByText("Only you can see this"));
    await runCommand(page, "I’m back");
    const spoken = page
      .getByRole("log", { name: "New messages" })
      .getByText("Ada: I’m back", { exact: true });
    await spoken.waitFor({ state: "attached" });
    expect(await heard.count()).toBe(1);
  });

  it("a channel is unread only for members who see what is new there", async () => {
    const { open } = here();
    const page = await open();
    const other = await open({ member: "Grace" });
    await other.getByRole("button", { name: "trains", exact: true }).click();
    await page.getByRole("button", { name: "staff", exact: true }).click();
    await waitForVisible(page.getByRole("heading", { name: "staff", exact: true }));
    await runCommand(page, "/board list ");
    await waitForVisible(page.getByText("Only you can see this"));
    await page.getByRole("button", { name: "general", exact: true }).click();
    await waitForVisible(page.getByRole("heading", { name: "general", exact: true }));
    await runCommand(page, "News for everybody");
    await waitForVisible(other.getByRole("button", { name: "general unread" }));
    expect(await other.getByRole("button", { name: "staff unread" }).count()).toBe(0);
  });

  it("the member who is played determines what is seen and offered", async () => {
    const { open } = here();
    const page = await open();
    const channels = page.getByRole("navigation", { name: /^Channels/ });
    await waitForVisible(channels.getByRole("button", { name: "staff" }));
    await play(page, "Alan");
    await waitForHidden(channels.getByRole("button", { name: "staff" }));
    await page.getByRole("textbox", { name: /^Message #/ }).click();
    await page.keyboard.type("/");
    await waitForVisible(page.getByRole("option", { name: /^\/departures/ }));
    await page.keyboard.type("board");
    await waitForHidden(page.getByRole("option", { name: /^\/departures/ }));
    expect(await page.getByRole("option", { name: /^\/board/ }).count()).toBe(0);
    await play(page, "Grace");
    await page.getByRole("textbox", { name: /^Message #/ }).fill("");
    await page.keyboard.type("/board");
    await waitForVisible(page.getByRole("option", { name: /^\/board list/ }));

    // In direct messages too, it shows their role in the server.
    await page.getByRole("button", { name: /^Direct messages/ }).click();
    await waitForVisible(page.getByRole("heading", { name: "Direct messages" }));
    const played = page.getByRole("combobox", { name: "The member you play" });
    expect(await played.locator("option:checked").innerText()).toBe("Grace · Moderator");
  });

  it("files can be dropped and pasted, previewed, removed and sent", async () => {
    const { open } = here();
    const page = await open();
    await give(page, "drop", "main", "dropped.jpg");
    await give(page, "paste", "textarea", "pasted.jpg");
    const tray = page.getByRole("list", { name: "Files to send" });
    await waitForVisible(tray.getByText("dropped.jpg"));
    const preview = tray.locator("img").last();
    await expect.poll(() => readNumber(preview, "naturalWidth")).toBeGreaterThan(100);
    await tray.getByRole("button", { name: "Remove dropped.jpg" }).click();
    await runCommand(page, "A train for you");
    await waitForHidden(tray);
    const message = messagesOf(page).filter({ hasText: "A train for you" });
    await waitForVisible(message.getByRole("img", { name: "pasted.jpg" }));
    expect(await message.getByRole("img", { name: "dropped.jpg" }).count()).toBe(0);

    // Files can be dropped into a command's option as well.
    await page.getByRole("textbox", { name: /^Message #/ }).click();
    await page.keyboard.insertText("/style ");
    await waitForVisible(page.getByRole("combobox", { name: "image" }));
    await give(page, "drop", "main", "option.jpg");
    await waitForVisible(tray.getByText("option.jpg"));
  });

  it("a message's menu opens by mouse and by keyboard", async () => {
    const { open } = here();
    const page = await open();
    await give(page, "paste", "textarea", "menu.jpg");
    await runCommand(page, "Menu of this");
    // The last one, because an earlier attempt may have left its own.
    const message = messagesOf(page).filter({ hasText: "Menu of this" }).last();
    await (await waitForText(page, "Menu of this")).click({ button: "right" });
    const id = await message.getAttribute("id");
    const menu = page.getByRole("menu");
    await waitForVisible(menu.getByRole("menuitem", { name: "Publish video" }));
    await menu.getByRole("menuitem", { name: "Restyle picture" }).click();
    await waitForVisible(page.getByRole("heading", { name: "Which style?" }).last());

    await message.focus();
    await page.keyboard.press("Enter");
    await waitForVisible(menu);
    await page.keyboard.press("Escape");
    await waitForHidden(menu);
    await expect.poll(() => page.locator(`#${id}:focus`).count()).toBe(1);
    await message.hover();
    const more = message.getByRole("button", { name: "More" });
    await more.focus();
    await page.keyboard.press("Enter");
    await waitForVisible(menu);
    const [button, opened] = await Promise.all([more.boundingBox(), menu.boundingBox()]);
    expect(Math.abs((button?.x ?? 0) - (opened?.x ?? 0))).toBeLessThan(300);
    await page.keyboard.press("Escape");
    await more.click();
    page.once("dialog", (question) => void question.accept());
    await menu.getByRole("menuitem", { name: "Delete message" }).click();
    await waitForHidden(page.locator(`#${id}`));
  });

  it("on a phone, channels, messages, members and the inspector work by touch", async () => {
    const { open } = here();
    const page = await open({ device: "phone", member: "Ada" });
    await page.getByRole("button", { name: "Channels", exact: true }).tap();
    await page.getByRole("button", { name: "trains", exact: true }).tap();
    await waitForVisible(page.getByRole("heading", { name: "trains", exact: true }));
    await runCommand(page, "/departures station: York");
    const board = messagesOf(page).filter({ hasText: "Departures from York" }).last();
    await board.getByRole("button", { name: "Text" }).tap();
    await waitForHidden(board.locator(".gallery"));

    await board.tap({ position: { x: 20, y: 20 } });
    await board.getByRole("button", { name: "More" }).tap();
    await page.getByRole("menuitem", { name: "Inspect its calls" }).tap();
    await waitForVisible(page.getByRole("tabpanel", { name: "Traffic" }));
    await page.getByRole("button", { name: "Close the inspector" }).tap();
    await page.getByRole("button", { name: "Members", exact: true }).tap();
    const heading = await waitForVisible(page.getByRole("heading", { name: /^Moderator/ }));
    // The chat behind a drawer can't be reached.
    expect(await page.locator("main[inert]").count()).toBe(1);
    // Escape closes it even after a press has taken the focus off its buttons.
    await heading.tap();
    await page.keyboard.press("Escape");
    await waitForHidden(heading);
    await waitForVisible(page.locator("[aria-label=Members]:focus"));
    await page.getByRole("button", { name: "Channels", exact: true }).tap();
    await waitForVisible(page.getByRole("button", { name: "trains", exact: true }));
    await page.keyboard.press("Escape");
    await waitForVisible(page.locator("[aria-label=Channels]:focus"));
    await page.getByRole("button", { name: "Members", exact: true }).tap();
    await page.getByRole("button", { name: /^Grace/ }).tap();
    await waitForHidden(page.getByRole("heading", { name: /^Moderator/ }));
    expect(new URL(page.url()).searchParams.get("member")).toBe("Grace");
    expect(await page.locator("main[inert]").count()).toBe(0);
    // Nothing is wider than the phone.
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(390);
  });
});
