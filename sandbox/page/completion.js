// What the box can offer where the caret stands. Pure; composer.js shows and fetches it.
import { OPTION_TYPES } from "./command-line.js";

/**
 * @typedef {import("./command-line.js").Line} Line
 * @typedef {import("./command-line.js").Runnable} Runnable
 * @typedef {import("./command-line.js").CommandOption} CommandOption
 * @typedef {{ label: string, detail: string, insert: string, attaches?: string,
 *   pick?: { option: string, name: string, value: string | number } }} Offer
 *   `insert` takes the place of what is typed; `pick` is remembered, so that a name is sent as its value;
 *   `attaches`: nothing is inserted, a file is to be chosen for this option.
 * @typedef {{ start: number, end: number, typed: string, offers: Offer[], ask: CommandOption | undefined }} Completion
 *   `ask`: the bot is to be asked for choices of this option.
 */

/**
 * @param {string} text
 * @param {number} caret
 * @param {Line} line
 * @param {readonly Runnable[]} runnables
 * @returns {Completion | undefined} undefined where nothing can be offered
 */
export function completeAt(text, caret, line, runnables) {
  if (line.kind === "text") {
    return undefined;
  }
  if (line.kind === "naming") {
    return {
      start: 0,
      end: text.length,
      typed: line.typed,
      offers: offerCommands(line.typed, runnables),
      ask: undefined,
    };
  }
  const value = line.values.find(
    ({ from, to, end, rest }) => caret >= from && caret <= (rest === undefined ? to : end),
  );
  if (value !== undefined) {
    const { start, end } = value;
    return { start, end, typed: value.text, ...offerValues(value.option, value.text) };
  }
  const after = line.values.find(
    ({ end, to, rest: span }) => span !== undefined && caret > end && caret <= to,
  );
  const rest = after?.rest ?? line.stray;
  const span = rest ?? { start: caret, end: caret, text: "" };
  return {
    start: span.start,
    end: span.end,
    typed: span.text,
    offers: offerOptions(line, span.text),
    ask: undefined,
  };
}

/**
 * @param {string} typed
 * @param {readonly Runnable[]} runnables
 * @returns {Offer[]}
 */
function offerCommands(typed, runnables) {
  const wanted = typed.trim().toLowerCase();
  const rank = (/** @type {Runnable} */ { name }) => (name.startsWith(wanted) ? 0 : 1);
  return runnables
    .filter(({ name }) => name.includes(wanted))
    .toSorted((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name))
    .map((command) => ({
      label: `/${command.name}`,
      detail: command.description,
      insert: beginningOf(command),
    }));
}

/**
 * A command as far as it can be typed for somebody: up to the first value that it needs.
 * @param {Runnable} command
 */
export function beginningOf(command) {
  const first = command.options.find(({ required }) => required === true);
  const next = first === undefined || first.type === OPTION_TYPES.attachment ? "" : `${first.name}: `;
  return `/${command.name}${command.options.length === 0 ? "" : ` ${next}`}`;
}

/**
 * @param {Extract<Line, { kind: "command" }>} line
 * @param {string} typed
 * @returns {Offer[]}
 */
function offerOptions(line, typed) {
  const wanted = typed.toLowerCase();
  return line.command.options
    .filter(({ name }) => name.startsWith(wanted) && !line.values.some(({ option }) => option.name === name))
    .map((option) => ({
      label: option.name,
      detail: `${option.description}${option.required === true ? " · required" : ""}`,
      ...(option.type === OPTION_TYPES.attachment
        ? { insert: "", attaches: option.name }
        : { insert: `${option.name}: ` }),
    }));
}

/**
 * @param {CommandOption} option
 * @param {string} typed
 * @returns {Pick<Completion, "offers" | "ask">}
 */
function offerValues(option, typed) {
  const wanted = typed.toLowerCase();
  if (option.autocomplete === true) {
    return { offers: [], ask: option };
  }
  const choices =
    option.type === OPTION_TYPES.boolean
      ? [
          { name: "true", value: "true" },
          { name: "false", value: "false" },
        ]
      : (option.choices ?? []);
  const fitting = choices.filter(({ name }) => name.toLowerCase().includes(wanted));
  return { offers: offerChoices(option, fitting), ask: undefined };
}

/**
 * Choices, the bot's or the registration's, as offers.
 * @param {CommandOption} option
 * @param {readonly { name: string, value: string | number }[]} choices
 * @returns {Offer[]}
 */
export function offerChoices(option, choices) {
  return choices.map(({ name, value }) => ({
    label: name,
    detail: "",
    insert: `${name} `,
    pick: { option: option.name, name, value },
  }));
}
