// What a person typed in the box, read: `/departures station: York rows: 5`. Pure; composer.js holds the box.

/**
 * A command or a subcommand that can be run, e.g. `board subscribe`.
 * @typedef {{ name: string, description: string, options: CommandOption[] }} Runnable
 * @typedef {{ name: string, description: string, type: number, required?: boolean, autocomplete?: boolean,
 *   choices?: { name: string, value: string | number }[], options?: CommandOption[] }} CommandOption
 * @typedef {{ option: CommandOption, text: string, start: number, end: number, from: number, to: number,
 *   rest: Span | undefined }} TypedValue
 *   `from` to `to` belongs to the option, `start` to `end` is its value; `rest` what follows one already complete.
 * @typedef {{ text: string, start: number, end: number }} Span
 * @typedef {{ kind: "text" } | { kind: "naming", typed: string }
 *   | { kind: "command", command: Runnable, values: TypedValue[], stray: Span | undefined }} Line
 */

/** Discord's numbers for the types of an option. */
export const OPTION_TYPES = /** @type {const} */ ({
  subcommand: 1,
  group: 2,
  string: 3,
  integer: 4,
  boolean: 5,
  channel: 7,
  number: 10,
  attachment: 11,
});

/**
 * The commands as a person runs them: a command with subcommands becomes one entry for each of them.
 * @param {readonly { name: string, description: string, options?: readonly CommandOption[] }[]} commands
 * @returns {Runnable[]}
 */
export function listRunnables(commands) {
  return commands.flatMap(({ name, description, options = [] }) => {
    const nested = options.filter(
      ({ type }) => type === OPTION_TYPES.subcommand || type === OPTION_TYPES.group,
    );
    return nested.length === 0
      ? [{ name, description, options: [...options] }]
      : listRunnables(nested.map((one) => ({ ...one, name: `${name} ${one.name}` })));
  });
}

/**
 * Reads the box. `picks` holds what was chosen from a list, by option, so that a name with spaces is one value.
 * @param {string} text
 * @param {readonly Runnable[]} runnables
 * @param {ReadonlyMap<string, string>} [picks]
 * @returns {Line}
 */
export function parseCommandLine(text, runnables, picks = new Map()) {
  if (!text.startsWith("/")) {
    return { kind: "text" };
  }
  const command = runnables
    .filter(({ name, options }) => {
      const after = text.slice(1 + name.length);
      return text.startsWith(name, 1) && (/^\s/.test(after) || (after === "" && options.length === 0));
    })
    .toSorted((a, b) => b.name.length - a.name.length)[0];
  if (command === undefined) {
    return { kind: "naming", typed: text.slice(1) };
  }
  const from = 1 + command.name.length;
  const marks = optionMarks(text, from, command.options);
  const values = marks.map(({ option, valueStart }, index) =>
    readValue(text, option, valueStart, marks[index + 1]?.start ?? text.length, picks),
  );
  return assignStray({
    kind: "command",
    command,
    values,
    stray: trimmedSpan(text, from, marks[0]?.start ?? text.length),
  });
}

/**
 * Where `name:` of an option of the command stands, each option at its first place only.
 * @param {string} text
 * @param {number} from
 * @param {readonly CommandOption[]} options
 */
function optionMarks(text, from, options) {
  /** @type {{ option: CommandOption, start: number, valueStart: number }[]} */
  const marks = [];
  const pattern = /(?<=\s)([-_\p{L}\p{N}]{1,32}):/gu;
  pattern.lastIndex = from;
  for (let found = pattern.exec(text); found !== null; found = pattern.exec(text)) {
    const option = options.find(({ name }) => name === found?.[1]);
    if (option !== undefined && !marks.some((mark) => mark.option === option)) {
      marks.push({ option, start: found.index, valueStart: found.index + found[0].length });
    }
  }
  return marks;
}

/**
 * @param {string} text
 * @param {CommandOption} option
 * @param {number} from
 * @param {number} to
 * @param {ReadonlyMap<string, string>} picks
 * @returns {TypedValue}
 */
function readValue(text, option, from, to, picks) {
  const span = trimmedSpan(text, from, to) ?? { text: "", start: to, end: to };
  const settled = settledLength(option, text.slice(span.start, to), picks);
  if (settled === undefined) {
    return { option, ...span, from, to, rest: undefined };
  }
  const end = span.start + settled;
  return {
    option,
    text: text.slice(span.start, end),
    start: span.start,
    end,
    from,
    to,
    rest: trimmedSpan(text, end, to) ?? { text: "", start: to, end: to },
  };
}

/**
 * How long a value is that needs nothing more, followed by a space; `undefined` while it may still grow.
 * @param {CommandOption} option
 * @param {string} typed
 * @param {ReadonlyMap<string, string>} picks
 * @returns {number | undefined}
 */
function settledLength(option, typed, picks) {
  const pick = picks.get(option.name);
  const wholes = [
    ...(pick === undefined ? [] : [pick]),
    ...(option.choices ?? []).map(({ name }) => name),
    ...(option.type === OPTION_TYPES.boolean ? ["true", "false"] : []),
    ...(option.type === OPTION_TYPES.integer ? (/^-?\d+/.exec(typed) ?? []) : []),
  ];
  return wholes
    .filter(
      (whole) => typed.toLowerCase().startsWith(whole.toLowerCase()) && /^\s/.test(typed.slice(whole.length)),
    )
    .map((whole) => whole.length)
    .toSorted((a, b) => b - a)[0];
}

/**
 * `/departures York`: words before any option are the first option's, unless they begin an option's name.
 * @param {Extract<Line, { kind: "command" }>} line
 * @returns {Line}
 */
function assignStray(line) {
  const { command, values, stray } = line;
  const first = command.options[0];
  const isMeant =
    stray !== undefined &&
    first !== undefined &&
    first.type !== OPTION_TYPES.attachment &&
    !values.some(({ option }) => option === first) &&
    !/^[-_\p{L}\p{N}]+:/u.test(stray.text) &&
    !command.options.some(({ name }) => name.startsWith(stray.text.toLowerCase()));
  return isMeant
    ? {
        ...line,
        values: [
          { option: first, ...stray, from: stray.start, to: stray.end + 1, rest: undefined },
          ...values,
        ],
        stray: undefined,
      }
    : line;
}

/**
 * @param {string} text
 * @param {number} from
 * @param {number} to
 * @returns {Span | undefined} undefined where there is only space
 */
function trimmedSpan(text, from, to) {
  const inside = text.slice(from, to);
  const trimmed = inside.trim();
  const start = from + inside.length - inside.trimStart().length;
  return trimmed === "" ? undefined : { text: trimmed, start, end: start + trimmed.length };
}

/**
 * Writes a command line that parseCommandLine reads back, as long as no value contains ` option:` itself.
 * @param {Runnable} command
 * @param {Readonly<Record<string, string | number | boolean>>} values
 */
export function formatCommandLine(command, values) {
  const given = Object.entries(values).map(([name, value]) => ` ${name}: ${value}`);
  return `/${command.name}${given.join("")}`;
}
