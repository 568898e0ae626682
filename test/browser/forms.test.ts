// Forms that a bot opens: every kind of field, the client's checks, and what is sent.
import { ComponentType, InteractionResponseType, InteractionType } from "discord-api-types/v10";
import { describe, expect, it } from "vitest";
import {
  noChromium,
  PAGE_TESTS,
  useVisit,
  waitForHidden,
  waitForText,
  waitForVisible,
} from "../support/browser.ts";
import { logInPageBot, ephemeralMessage, type Answerer, type PageBot } from "../support/page-bot.ts";

const label = (words: string, component: object, description?: string) => ({
  type: 18,
  label: words,
  ...(description === undefined ? {} : { description }),
  component: { custom_id: words, ...component },
});
const options = ["Oil", "Ink", "Chalk"].map((words) => ({ label: words, value: words.toLowerCase() }));

const FORMS: Readonly<Record<string, readonly object[]>> = {
  words: [
    { type: 10, content: "Words **first**." },
    label("Name", { type: 4, style: 1, min_length: 3, max_length: 12 }, "As on the sign"),
    label("Story", { type: 4, style: 2, required: false, value: "Once" }),
    label("Proof", { type: 19, max_values: 2, required: false, file_types: ["image"] }),
  ],
  menus: [label("Word", { type: 3, options, max_values: 2 })],
};

const commands = Object.keys(FORMS).map((name) => ({ name, description: `Opens a form of ${name}` }));

const answer: Answerer = (interaction) => {
  if (interaction.type === InteractionType.ModalSubmit) {
    const told = interaction.data.components.flatMap((one) =>
      one.type === ComponentType.Label ? [filledIn(one.component)] : [],
    );
    return ephemeralMessage(told.join("; "));
  }
  const { data = {} } = interaction;
  const name = "name" in data ? String(data.name) : "";
  const components = FORMS[name];
  return components === undefined
    ? undefined
    : // The form is written in its wire format.
      ({
        type: InteractionResponseType.Modal,
        data: { custom_id: name, title: `Some ${name}`, components },
      } as ReturnType<Answerer>);
};

/** The submitted value of a field. */
function filledIn(field: object): string {
  const { custom_id: name, value, values } = { custom_id: "", value: undefined, values: undefined, ...field };
  return `${name}: ${JSON.stringify(values ?? value)}`;
}

let bot: PageBot | undefined;

describe.skipIf(noChromium)("forms", PAGE_TESTS, () => {
  const here = useVisit({
    bot: "none",
    prepare: async (world) => {
      bot = await logInPageBot(world, commands, answer);
    },
    tidy: () => bot?.logOut(),
  });

  it("check text and files as the client does, and keep them until they are valid", async () => {
    const { open } = here();
    const page = await open();
    await page.getByRole("textbox", { name: "Message #general" }).fill("/words ");
    await page.keyboard.press("Enter");
    const form = await waitForVisible(page.getByRole("dialog", { name: "Some words" }));
    const name = form.getByRole("textbox", { name: "Name" });
    await expect.poll(() => name.evaluate((node: object) => Reflect.get(node, "ariaRequired"))).toBe("true");
    await form.getByRole("button", { name: "Submit" }).click();
    await waitForVisible(form.getByText("This field is required."));
    // The focus is on the field to correct.
    await page.keyboard.type("Yo");
    await form.getByRole("button", { name: "Submit" }).click();
    await waitForVisible(form.getByText("Write at least 3 characters."));
    await page.keyboard.press("End");
    await page.keyboard.type("rk, and far too long for it");
    expect(await name.inputValue()).toBe("York, and fa");
    await form.getByRole("textbox", { name: "Story" }).fill("Once upon a time");

    const [chooser] = await Promise.all([
      page.waitForEvent("filechooser"),
      form.getByRole("button", { name: /^Proof Choose up to 2 files/ }).click(),
    ]);
    await chooser.setFiles({ name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("x") });
    await form.getByRole("button", { name: "Submit" }).click();
    await waitForVisible(form.getByRole("alert"));
    await form.getByRole("button", { name: "Remove notes.txt" }).click();
    await form.getByRole("button", { name: "Submit" }).click();
    await waitForHidden(form);
    await waitForText(page, 'Name: "York, and fa"; Story: "Once upon a time"; Proof: []');
  });

  it("send what is chosen in menus", async () => {
    const { open } = here();
    const page = await open();
    await page.getByRole("textbox", { name: "Message #general" }).fill("/menus ");
    await page.keyboard.press("Enter");
    const form = await waitForVisible(page.getByRole("dialog", { name: "Some menus" }));
    const list = page.getByRole("listbox");
    const choose = async (field: string, ...names: readonly string[]) => {
      await form.getByRole("combobox", { name: field }).first().click();
      for (const name of names) {
        await list.getByRole("option", { name }).click();
      }
      if (await list.isVisible()) {
        await page.keyboard.press("Escape");
      }
    };
    await choose("Word", "Chalk", "Oil");
    // Escape closed the lists, but not the form.
    await form.getByRole("button", { name: "Submit" }).click();
    await waitForText(page, `Word: ["chalk","oil"]`);
  });

  it("keep the focus inside, and return it when Escape closes them", async () => {
    const { open } = here();
    const page = await open();
    const box = page.getByRole("textbox", { name: "Message #general" });
    await box.fill("/words ");
    await page.keyboard.press("Enter");
    const form = await waitForVisible(page.getByRole("dialog", { name: "Some words" }));
    for (let step = 0; step < 12; step += 1) {
      await page.keyboard.press("Tab");
      const focused = page.locator(":focus");
      // The browser's own toolbar may have the focus in between.
      expect((await focused.count()) === 0 || (await form.locator(":focus").count()) === 1).toBe(true);
    }
    await form.getByRole("button", { name: "Cancel" }).focus();
    await page.keyboard.press("Escape");
    await form.waitFor({ state: "detached" });
    await page.keyboard.type("on with it");
    await expect.poll(() => box.inputValue()).toBe("on with it");
  });
});
