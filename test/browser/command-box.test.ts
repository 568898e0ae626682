// The command box: picker, pills, choices, late suggestions, and a bot that does not respond.
import {
  ApplicationCommandOptionType as Option,
  InteractionResponseType,
  InteractionType,
  type APIApplicationCommandInteraction,
} from "discord-api-types/v10";
import { describe, expect, it } from "vitest";
import { ACKNOWLEDGE_WITHIN_MS, isInteractionOpen } from "../../sandbox/discord/rules/interactions.ts";
import type { World } from "../../sandbox/world.ts";
import {
  noChromium,
  PAGE_TESTS,
  useVisit,
  waitForHidden,
  waitForText,
  waitForVisible,
} from "../support/browser.ts";
import { logInPageBot, ephemeralMessage, type Answerer, type PageBot } from "../support/page-bot.ts";

const option = (type: Option, name: string, more: object = {}) => ({
  type,
  name,
  description: `The ${name}`,
  ...more,
});

const COMMANDS = [
  {
    name: "travel",
    description: "Goes somewhere",
    options: [
      option(Option.String, "to", { required: true, autocomplete: true }),
      option(Option.String, "class", {
        choices: ["First", "Standard"].map((name) => ({ name, value: name })),
      }),
      option(Option.Integer, "people", { min_value: 1, max_value: 9 }),
      option(Option.Boolean, "quiet"),
      option(Option.User, "with"),
      option(Option.Channel, "tell"),
    ],
  },
  { name: "silence", description: "Never says a word" },
];

/** Releases suggestions that a test holds back, by the typed text. */
const held = new Map<string, () => void>();
const asked: string[] = [];

const answer: Answerer = async (interaction) => {
  if (interaction.type === InteractionType.ApplicationCommandAutocomplete) {
    const typed = focusedText(interaction.data.options);
    asked.push(typed);
    if (typed.endsWith("?")) {
      await new Promise<void>((resolve) => held.set(typed, resolve));
    }
    return {
      type: InteractionResponseType.ApplicationCommandAutocompleteResult,
      data: {
        choices: ["North", "South"].map((end) => ({ name: `${typed} ${end}`, value: `${typed}-${end}` })),
      },
    };
  }
  return interaction.type === InteractionType.ApplicationCommand && interaction.data.name === "travel"
    ? ephemeralMessage(optionsOf(interaction))
    : undefined;
};

function focusedText(options: readonly object[]): string {
  const focused = options.find((one) => "focused" in one);
  return focused !== undefined && "value" in focused ? String(focused.value) : "";
}

function optionsOf({ data }: APIApplicationCommandInteraction): string {
  const options = "options" in data ? (data.options ?? []) : [];
  return options.map((one) => ("value" in one ? `${one.name}=${one.value}` : one.name)).join(" ");
}

/** Whether an interaction is a command; requests for suggestions have another type. */
const isCommand = (data: unknown) =>
  typeof data === "object" &&
  data !== null &&
  "type" in data &&
  data.type === InteractionType.ApplicationCommand;

let bot: PageBot | undefined;

/** Advances the clock past the time in which a bot must answer. */
async function keepSilent({ clock, discord }: World): Promise<void> {
  await expect.poll(() => isInteractionOpen(discord.platform)).toBe(true);
  await clock.advance(ACKNOWLEDGE_WITHIN_MS + 500);
}

describe.skipIf(noChromium)("the command box", PAGE_TESTS, () => {
  const here = useVisit({
    bot: "none",
    // The bot is late only if a test says so, however slow the machine is.
    clock: "still",
    prepare: async (world) => {
      bot = await logInPageBot(world, COMMANDS, answer);
    },
    tidy: () => bot?.logOut(),
  });

  it("finds, fills in and sends a command by keyboard alone", async () => {
    const { open, world } = here();
    const page = await open();
    await page.keyboard.type("/tra");
    await waitForVisible(page.getByRole("option", { name: /travel/ }));
    await page.keyboard.press("Tab");
    await page.keyboard.type("Lee");
    await waitForVisible(page.getByRole("option", { name: "Lee North" }));
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    // The box offers the options that are still open.
    await page.keyboard.type("cla");
    await page.keyboard.press("Enter");
    await waitForVisible(page.getByRole("option", { name: "Standard" }));
    await page.keyboard.type("Fir");
    await page.keyboard.press("Enter");
    await page.keyboard.type("quiet");
    await page.keyboard.press("Enter");
    await page.keyboard.type("t");
    await page.keyboard.press("Enter");
    await page.keyboard.type("with");
    await page.keyboard.press("Enter");
    await page.keyboard.type("gra");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Enter");
    await waitForText(page, `to=Lee-South class=First quiet=true with=${world.member("Grace").id}`);
  });

  it("marks wrong input in its place, and sends nothing", async () => {
    const { open, world } = here();
    const page = await open();
    const before = world.discord.traffic.notes.length;
    // Pasted, not typed.
    await page.keyboard.insertText("/travel to: Leeds people: 12");
    // The page must know the command before it can check the input.
    await waitForVisible(page.getByRole("combobox", { name: "people" }));
    await page.keyboard.press("Enter");
    await waitForVisible(page.getByRole("alert").filter({ hasText: /\S/ }));
    await waitForVisible(page.locator(":focus").and(page.getByRole("combobox", { name: "people" })));
    await page.keyboard.press("Escape");
    await waitForVisible(page.getByRole("textbox", { name: "Message #general" }));
    const sent = world.discord.traffic.notes.slice(before);
    expect(sent.filter((one) => one.kind === "gateway" && isCommand(one.data))).toEqual([]);
  });

  it("says that a command does not exist until something else is typed", async () => {
    const { open } = here();
    const page = await open();
    await page.keyboard.insertText("/nothing");
    await page.keyboard.press("Enter");
    const told = page.getByRole("alert").filter({ hasText: "There's no command “/nothing” here." });
    await waitForVisible(told);
    await page.keyboard.press("Backspace");
    await waitForHidden(told);
  });

  it("shows suggestions after a pause in typing, and drops late ones", async () => {
    const { open } = here();
    const page = await open();
    await page.keyboard.type("/travel ");
    asked.length = 0;
    await page.keyboard.type("Manche", { delay: 10 });
    await waitForVisible(page.getByRole("option", { name: "Manche North" }));
    // Not once for each letter.
    expect(asked.length).toBeLessThanOrEqual(3);

    await page.keyboard.type("?");
    await expect.poll(() => held.has("Manche?")).toBe(true);
    await page.keyboard.type("ster");
    await waitForVisible(page.getByRole("option", { name: "Manche?ster North" }));
    held.get("Manche?")?.();
    // A request and its answer have come in between: a late suggestion would be visible by now.
    await page.keyboard.type("!");
    await waitForVisible(page.getByRole("option", { name: "Manche?ster! North" }));
    expect(await page.getByRole("listbox").getByRole("option").allInnerTexts()).toEqual([
      "Manche?ster! North",
      "Manche?ster! South",
    ]);
  });

  it("says that a silent bot did not respond, and lets the member try again", async () => {
    const { open, world } = here();
    const page = await open();
    await page.keyboard.type("/sil");
    await waitForVisible(page.getByRole("option", { name: /silence/ }));
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await waitForVisible(page.getByText("Sending command…"));
    await keepSilent(world);
    const failure = page.getByRole("alert").filter({ hasText: "The application did not respond." });
    await waitForVisible(failure);
    // Nobody else sees it.
    const played = page.getByRole("combobox", { name: "The member you play" });
    await played.selectOption("Alan");
    await waitForHidden(failure);
    await played.selectOption("Ada");
    await page.getByRole("button", { name: "Try again" }).click();
    await waitForVisible(page.getByText("Sending command…"));
    await keepSilent(world);
    // Not the button of an answer above it, which can be dismissed as well.
    const failed = await waitForVisible(page.getByRole("listitem").filter({ has: page.getByRole("alert") }));
    await failed.getByRole("button", { name: "Dismiss message" }).click();
    await waitForHidden(page.getByText("The application did not respond."));
  });
});
