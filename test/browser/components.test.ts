// Every kind of component that a message can have, drawn and used.
import { InteractionType } from "discord-api-types/v10";
import { describe, expect, it } from "vitest";
import { readSample } from "../../sandbox/page/read-sample.ts";
import {
  noChromium,
  PAGE_TESTS,
  useVisit,
  waitForHidden,
  messagesOf,
  readNumber,
  waitForText,
  waitForVisible,
} from "../support/browser.ts";
import { logInPageBot, ephemeralMessage, type Answerer, type PageBot } from "../support/page-bot.ts";

const row = (...components: readonly object[]) => ({ type: 1, components });
const text = (content: string) => ({ type: 10, content });
const press = (style: number, label: string, more: object = {}) => ({
  type: 2,
  style,
  label,
  custom_id: label,
  ...more,
});
const picture = (more: object = {}) => ({ media: { url: "attachment://train.jpg" }, ...more });

const presses: string[] = [];

/** Answers with what was pressed or chosen. */
const echo: Answerer = (interaction) => {
  if (interaction.type !== InteractionType.MessageComponent) {
    return undefined;
  }
  const { data } = interaction;
  presses.push(data.custom_id);
  const values = "values" in data ? ` ${data.values.join(" ")}` : "";
  return data.custom_id === "Silence" ? undefined : ephemeralMessage(`Heard: ${data.custom_id}${values}`);
};

let bot: PageBot | undefined;

describe.skipIf(noChromium)("components of messages", PAGE_TESTS, () => {
  const here = useVisit({
    bot: "none",
    prepare: async (world) => {
      bot = await logInPageBot(world, [], echo);
    },
    tidy: () => bot?.logOut(),
  });

  const post = async (channelId: string, ...components: readonly object[]) => {
    const files = JSON.stringify(components).includes("attachment://")
      ? [
          { name: "train.jpg", data: Buffer.from(await readSample("night-train.jpg")) },
          { name: "notes.txt", data: Buffer.from("Mind the gap.") },
        ]
      : [];
    await bot?.post(channelId, components, files);
  };

  it("show text, sections, galleries, files, separators and containers", async () => {
    const { open, world } = here();
    const page = await open();
    await post(
      world.channels.general.id,
      {
        type: 17,
        accent_color: 0xff8800,
        components: [
          text("# A night train\n**Bold**, *slanted* and ||hidden|| words"),
          { type: 14, spacing: 2 },
          {
            type: 9,
            components: [text("Beside a picture")],
            accessory: { type: 11, ...picture({ description: "A small train" }) },
          },
          { type: 9, components: [text("Beside a button")], accessory: press(2, "Aside") },
        ],
      },
      {
        type: 12,
        items: [
          picture({ description: "First" }),
          picture({ description: "Second" }),
          picture({ description: "Third", spoiler: true }),
        ],
      },
      { type: 13, file: { url: "attachment://notes.txt" } },
    );
    const message = messagesOf(page).filter({ hasText: "A night train" });
    await waitForVisible(message.getByRole("heading", { name: "A night train" }));
    await waitForVisible(message.getByRole("separator"));
    const thumbnail = await waitForVisible(message.getByRole("img", { name: "A small train" }));
    await expect.poll(() => readNumber(thumbnail, "naturalWidth")).toBeGreaterThan(100);
    await message.getByRole("button", { name: "Aside" }).click();
    await waitForText(page, "Heard: Aside");

    // The pictures open in a large view.
    await message.getByRole("button", { name: /^Spoiler/ }).click();
    await message.getByRole("button", { name: "First" }).click();
    const large = page.getByRole("dialog");
    await waitForVisible(large.getByRole("img", { name: "First" }));
    await page.keyboard.press("Escape");
    await waitForHidden(large);

    const file = message.getByRole("link", { name: "notes.txt", exact: true });
    const [saved] = await Promise.all([page.waitForEvent("download"), file.click()]);
    expect(saved.suggestedFilename()).toBe("notes.txt");
  });

  it("hide a spoiler container until it is pressed", async () => {
    const { open, world } = here();
    const page = await open();
    await post(world.channels.trains.id, {
      type: 17,
      spoiler: true,
      components: [text("The butler"), row(press(1, "Inside"))],
    });
    await page.getByRole("button", { name: "trains" }).click();
    const veil = await waitForVisible(page.getByRole("button", { name: /^Spoiler/ }));
    // Neither the eye nor a screen reader can reach it.
    expect(await page.locator("[inert]").getByRole("button", { name: "Inside" }).count()).toBe(1);
    await veil.click();
    await page.getByRole("button", { name: "Inside" }).click();
    await waitForText(page, "Heard: Inside");
  });

  it("include buttons of each style, and report one that is not answered", async () => {
    const { open, world } = here();
    const page = await open();
    await post(
      world.channels.general.id,
      row(press(1, "Blue"), press(2, "Grey"), press(3, "Green"), press(4, "Red")),
      row(
        press(2, "Never", { disabled: true }),
        { type: 2, style: 5, label: "Elsewhere", url: "https://example.org/" },
        press(1, "Silence", { emoji: { name: "🔕" } }),
      ),
    );
    const message = messagesOf(page).filter({ hasText: "Silence" }).last();
    for (const label of ["Blue", "Grey", "Green", "Red"]) {
      await message.getByRole("button", { name: label }).click();
      await waitForText(page, `Heard: ${label}`);
    }
    expect(await message.getByRole("button", { name: "Never" }).isDisabled()).toBe(true);
    expect(await message.getByRole("link", { name: "Elsewhere" }).getAttribute("href")).toBe(
      "https://example.org/",
    );
    const before = presses.length;
    // A double click: while the button waits, it cannot be pressed again.
    await message.getByRole("button", { name: "Silence" }).dblclick();
    await expect.poll(() => presses.slice(before)).toEqual(["Silence"]);
    await world.clock.advance(3_500);
    await waitForVisible(message.getByText("This interaction failed."));
    expect(presses.slice(before)).toEqual(["Silence"]);
  });

  it("include menus for mouse and keyboard", async () => {
    const { open, world } = here();
    const page = await open();
    const menu = (type: number, placeholder: string, more: object = {}) =>
      row({ type, custom_id: placeholder, placeholder, ...more });
    const options = ["Oil", "Ink", "Chalk"].map((label) => ({ label, value: label.toLowerCase() }));
    await post(
      world.channels.general.id,
      menu(3, "A word", { options }),
      menu(3, "Two words", { options, min_values: 2, max_values: 3 }),
      menu(3, "Silence", { options }),
    );
    const list = page.getByRole("listbox");
    const opened = (name: string) =>
      page.getByRole("button", { name }).or(page.getByRole("combobox", { name })).last();
    const choose = async (name: string, option: string) => {
      await opened(name).click();
      await list.getByRole("option", { name: option }).click();
    };
    await choose("A word", "Ink");
    await waitForText(page, "Heard: A word ink");

    // A choice that got no answer can be made again.
    const isSilence = (id: string) => id === "Silence";
    const before = presses.filter(isSilence).length;
    for (const times of [1, 2]) {
      await choose("Silence", "Oil");
      await expect.poll(() => presses.filter(isSilence)).toHaveLength(before + times);
      await world.clock.advance(3_500);
      await waitForVisible(page.getByText("This interaction failed."));
    }

    // Several choices are sent when the list is closed; by keyboard alone.
    await opened("Two words").focus();
    await page.keyboard.press("ArrowDown");
    await waitForVisible(list);
    await page.keyboard.press("Enter");
    await page.keyboard.press("End");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Escape");
    await waitForText(page, "Heard: Two words oil chalk");
  });
});
