// The box at the bottom: a message or a command, with what could come next offered above it.
import { OPTION_TYPES, parseCommandLine } from "./command-line.js";
import { valuesToSend } from "./command-values.js";
import { beginningOf, completeAt, offerChoices } from "./completion.js";
import { createFileTray, LOOSE } from "./file-tray.js";
import { createListbox } from "./listbox.js";

/** Discord does not say how long its client waits; this feels the same. */
const DEBOUNCE_MS = 150;

/**
 * @typedef {import("./command-line.js").Runnable} Runnable
 * @typedef {import("./completion.js").Offer} Offer
 * @typedef {Record<string, string | number | boolean>} Typed
 * @typedef {{ input: HTMLInputElement, list: HTMLElement, fileInput: HTMLInputElement, attach: HTMLElement,
 *   chips: HTMLElement, problem: HTMLElement, runnables: () => readonly Runnable[],
 *   onComplete: (command: string, typed: Typed, focused: string)
 *     => Promise<readonly { name: string, value: string | number }[]>,
 *   onCommand: (command: string, values: Record<string, string | number | boolean | File>) => Promise<void>,
 *   onSay: (text: string, files: readonly File[]) => Promise<void> }} ComposerOptions
 */

/** @param {ComposerOptions} options */
export function createComposer(options) {
  const { input, problem, runnables } = options;
  /** Names chosen from a list, and what is sent for them, by option. @type {Map<string, { name: string, value: string | number }>} */
  const picks = new Map();
  /** Counts what was asked, so that a late answer is known as one. */
  let question = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let pause;

  const offers = createListbox({
    box: options.list,
    input,
    describe: (/** @type {Offer} */ offer) => offer,
    onChoose: take,
  });
  const tray = createFileTray({
    fileInput: options.fileInput,
    chips: options.chips,
    onChange() {
      input.focus();
      refresh();
    },
  });

  function tell(/** @type {string} */ text) {
    problem.textContent = text;
  }

  function parse(/** @type {string} */ text) {
    const names = new Map([...picks].map(([option, { name }]) => [option, name]));
    return parseCommandLine(text, runnables(), names);
  }

  function read() {
    const line = parse(input.value);
    const caret = input.selectionStart ?? input.value.length;
    return { line, completion: completeAt(input.value, caret, line, runnables()) };
  }

  function take(/** @type {Offer} */ offer) {
    const { completion } = read();
    if (completion === undefined) {
      return;
    }
    const { start, end } = completion;
    const isFile = offer.attaches !== undefined;
    const glue = isFile || start === 0 || /\s/.test(input.value.charAt(start - 1)) ? "" : " ";
    input.setRangeText(isFile ? "" : glue + offer.insert, start, end, "end");
    if (offer.pick !== undefined) {
      picks.set(offer.pick.option, offer.pick);
    }
    input.focus();
    refresh();
    if (offer.attaches !== undefined) {
      tray.choose(offer.attaches);
    }
  }

  function refresh() {
    tell("");
    clearTimeout(pause);
    question += 1;
    if (input.value === "") {
      picks.clear();
    }
    const { line, completion } = read();
    if (completion === undefined) {
      offers.hide();
      return;
    }
    const { typed, ask } = completion;
    const open = completion.offers.filter(({ attaches }) => attaches === undefined || !tray.has(attaches));
    const isWhole = open.length === 1 && open[0]?.label === typed;
    offers.show(isWhole ? [] : open, typed !== "" || line.kind === "naming");
    if (ask !== undefined && line.kind === "command") {
      pause = setTimeout(() => void askBot(line, ask, typed), DEBOUNCE_MS);
    }
  }

  /**
   * @param {Extract<import("./command-line.js").Line, { kind: "command" }>} line
   * @param {import("./command-line.js").CommandOption} option
   * @param {string} typed
   */
  async function askBot(line, option, typed) {
    const mine = question;
    try {
      const sent = { ...typedSoFar(line, picks), [option.name]: typed };
      const choices = await options.onComplete(line.command.name, sent, option.name);
      if (mine === question) {
        const isPicked = picks.get(option.name)?.name === typed;
        offers.show(offerChoices(option, choices), typed !== "" && !isPicked);
      }
    } catch (error) {
      if (mine === question) {
        tell(messageOf(error));
      }
    }
  }

  async function send() {
    const text = input.value;
    // What is sent is a whole command, even if no space has followed its name.
    const line = parse(`${text} `);
    if (line.kind === "naming") {
      tell(line.typed === "" ? "Choose a command." : `There is no command /${line.typed} here.`);
      return;
    }
    if (line.kind === "text") {
      const files = tray.loose();
      if (text.trim() !== "" || files.length > 0) {
        await attempt(text, () => options.onSay(text, files));
      }
      return;
    }
    const { command } = line;
    const files = tray.byOption();
    const rest = { ...command, options: command.options.filter(({ name }) => !(name in files)) };
    const ready = valuesToSend({ ...line, command: rest }, picks);
    if ("problem" in ready) {
      tell(ready.problem);
      return;
    }
    await attempt(text, () => options.onCommand(command.name, { ...ready.values, ...files }));
  }

  /** What was refused comes back into the box, unless something new is being typed there. */
  async function attempt(/** @type {string} */ typed, /** @type {() => Promise<void>} */ work) {
    question += 1;
    clearTimeout(pause);
    input.value = "";
    tray.clear();
    offers.hide();
    tell("");
    try {
      await work();
      if (input.value === "") {
        picks.clear();
      }
    } catch (error) {
      input.value ||= typed;
      tell(messageOf(error));
    }
  }

  input.addEventListener("input", refresh);
  input.addEventListener("click", refresh);
  input.addEventListener("blur", () => offers.hide());
  input.addEventListener("keyup", ({ key }) => {
    if (["ArrowLeft", "ArrowRight", "Home", "End"].includes(key)) {
      refresh();
    }
  });
  input.addEventListener("keydown", (event) => {
    // Enter while an input method is composing chooses a letter; it does not send.
    if (!event.isComposing && !offers.takeKey(event) && event.key === "Enter") {
      event.preventDefault();
      void send();
    }
  });
  options.attach.addEventListener("click", () => {
    const { line } = read();
    const wanted =
      line.kind === "command"
        ? line.command.options.find(({ type, name }) => type === OPTION_TYPES.attachment && !tray.has(name))
        : undefined;
    tray.choose(wanted?.name ?? LOOSE);
  });

  return {
    tell,
    /** Puts a command in the box, ready to be filled in. @param {string} name */
    start(name) {
      const command = runnables().find((one) => one.name === name);
      input.value = command === undefined ? `/${name} ` : beginningOf(command);
      input.focus();
      refresh();
    },
  };
}

/** @param {unknown} error */
function messageOf(error) {
  return error instanceof Error ? error.message : String(error);
}

/**
 * @param {Extract<import("./command-line.js").Line, { kind: "command" }>} line
 * @param {ReadonlyMap<string, { name: string, value: string | number }>} picks
 */
function typedSoFar(line, picks) {
  const anything = { ...line, command: { ...line.command, options: [] }, stray: undefined };
  const ready = valuesToSend(anything, picks);
  return "values" in ready ? ready.values : {};
}
