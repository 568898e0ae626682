// What a command line sends, or why it cannot be sent yet. Pure.
import { OPTION_TYPES } from "./command-line.js";

/**
 * @typedef {import("./command-line.js").Line} Line
 * @typedef {import("./command-line.js").CommandOption} CommandOption
 */

/**
 * The values to send: a chosen name becomes its value, numbers and yes/no their own types. Whether a value is
 * allowed is for Discord's side to say.
 * @param {Extract<Line, { kind: "command" }>} line
 * @param {ReadonlyMap<string, { name: string, value: string | number }>} picks by option
 * @returns {{ values: Record<string, string | number | boolean> } | { problem: string }}
 */
export function valuesToSend(line, picks) {
  if (line.stray !== undefined) {
    return { problem: `/${line.command.name} has no option “${line.stray.text}”.` };
  }
  const leftover = line.values.find(({ rest }) => rest !== undefined && rest.text !== "");
  if (leftover?.rest !== undefined) {
    return { problem: `What is “${leftover.rest.text}”? Name an option first, e.g. “rows: 5”.` };
  }
  const missing = line.command.options.find(
    ({ name, required }) =>
      required === true && !line.values.some(({ option, text }) => option.name === name && text !== ""),
  );
  if (missing !== undefined) {
    return { problem: `/${line.command.name} needs ${missing.name}: ${missing.description}.` };
  }
  const given = line.values.filter(({ text }) => text !== "");
  return {
    values: Object.fromEntries(
      given.map(({ option, text }) => [option.name, valueOf(option, text, picks.get(option.name))]),
    ),
  };
}

/**
 * @param {CommandOption} option
 * @param {string} text
 * @param {{ name: string, value: string | number } | undefined} pick
 * @returns {string | number | boolean}
 */
function valueOf(option, text, pick) {
  const choice =
    pick?.name === text
      ? pick
      : option.choices?.find(({ name }) => name.toLowerCase() === text.toLowerCase());
  if (option.type === OPTION_TYPES.boolean) {
    return /^(true|yes|on)$/i.test(text);
  }
  if (choice !== undefined) {
    return choice.value;
  }
  const isNumber = option.type === OPTION_TYPES.integer || option.type === OPTION_TYPES.number;
  return isNumber && Number.isFinite(Number(text)) ? Number(text) : text;
}
