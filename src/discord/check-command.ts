// Holds definitions to Discord's rules before anything is sent, so that a mistake is a sentence at start.
// https://discord.com/developers/docs/interactions/application-commands
import type { Services } from "./define/services.ts";
import type { Option, Options } from "./define/options.ts";
import {
  type AnyDefinition,
  type Command,
  type CommandGroup,
  type Runnable,
  type CommandFile,
  runnablesOf,
  commandFilesOf,
  subcommandOf,
} from "./command.ts";

const NAME = /^[-_'\p{L}\p{N}\p{sc=Deva}\p{sc=Thai}]{1,32}$/u;
const DESCRIPTION_LIMIT = 100;
const OPTIONS_LIMIT = 25;
const CHOICES_LIMIT = 25;
const CHOICE_LIMIT = 100;
const SUBCOMMANDS_LIMIT = 25;
const FILE_TYPES_LIMIT = 10;
const MENU_NAME_LIMIT = 32;
const SLASH_LIMIT = 100;
const MENUS_LIMIT = 15;
const COMMAND_LIMIT = 8_000;
const TEXT_VALUE_LIMIT = 6_000;
/** A component id is `command:action:…`. */
const ACTION = /^[A-Za-z][\w-]{0,31}$/;

/** Every way in which the commands break Discord's rules, one sentence each, beginning with the file's name. */
export function checkCommands(commands: readonly Command[]): readonly string[] {
  const problems = commands.flatMap(checkCommand);
  const menus = commands.flatMap(runnablesOf).flatMap(({ definition }) => definition.messageMenu?.name ?? []);
  for (const name of new Set(menus.filter((menu, index) => menus.indexOf(menu) !== index))) {
    problems.push(`message menu "${name}" is defined more than once`);
  }
  if (commands.length > SLASH_LIMIT) {
    problems.push(`there are ${commands.length} commands; Discord takes ${SLASH_LIMIT}`);
  }
  if (menus.length > MENUS_LIMIT) {
    problems.push(`there are ${menus.length} message menus; Discord takes ${MENUS_LIMIT}`);
  }
  return problems;
}

function checkCommand(command: Command): readonly string[] {
  const problems = [
    ...runnablesOf(command).flatMap(checkRunnable),
    ...commandFilesOf(command).flatMap(checkCommandFile),
  ];
  if (command.kind === "group") {
    problems.push(
      ...checkName(command.name, "name").map((problem) => `${command.name}/: ${problem}`),
      ...checkDescription(command.definition.description).map((problem) => `${command.name}/: ${problem}`),
    );
    problems.push(...checkSubcommands(command));
  }
  const size = countCharacters(command);
  if (size > COMMAND_LIMIT) {
    problems.push(`${command.name}: has ${size} characters in all; Discord takes ${COMMAND_LIMIT}`);
  }
  return problems;
}

/** Below a command, and below each of its groups, stand 1 to 25; a group and a subcommand cannot be called the same. */
function checkSubcommands({ name, groups, runnables }: CommandGroup): readonly string[] {
  const places = runnables.map(subcommandOf);
  const plain = places.filter(({ group }) => group === undefined);
  return [
    ...checkAmount(`${name}/`, plain.length + groups.size),
    ...[...groups].flatMap(([group, { description }]) => [
      ...[
        ...checkName(group, "name"),
        ...checkDescription(description),
        ...(plain.some((each) => each.name === group) ? ["is the name of a subcommand, too"] : []),
      ].map((problem) => `${name}/${group}/: ${problem}`),
      ...checkAmount(`${name}/${group}/`, places.filter((each) => each.group === group).length),
    ]),
  ];
}

function checkAmount(place: string, amount: number): readonly string[] {
  return amount === 0 || amount > SUBCOMMANDS_LIMIT
    ? [`${place}: has ${amount} subcommands; 1 to 25 are possible`]
    : [];
}

function checkRunnable({ path, definition }: Runnable): readonly string[] {
  const menu = definition.messageMenu?.name;
  return [
    ...checkDescription(definition.description),
    ...checkOptions(definition.options ?? {}),
    ...(menu !== undefined && (menu.trim() === "" || menu.length > MENU_NAME_LIMIT)
      ? [`message menu "${menu}" must have 1 to ${MENU_NAME_LIMIT} characters`]
      : []),
    ...(definition.messages && !definition.messages.words && !definition.messages.fileTypes?.length
      ? ["messages: names no type of file, and understands no words"]
      : []),
  ].map((problem) => `${path}: ${problem}`);
}

/** What holds for every file: its name and its actions stand in ids. */
function checkCommandFile({ path, definition }: CommandFile): readonly string[] {
  const actions = [definition.buttons, definition.selects, definition.modals].flatMap((handlers) =>
    Object.keys(handlers ?? {}),
  );
  return [
    ...checkName(path.split("/").at(-1) ?? "", "name"),
    ...actions
      .filter((action) => !ACTION.test(action))
      .map((action) => `action "${action}" has characters that an id cannot contain`),
  ].map((problem) => `${path}: ${problem}`);
}

function checkName(name: string, what: string): readonly string[] {
  return NAME.test(name) && name === name.toLowerCase()
    ? []
    : [`${what} "${name}" must be 1 to 32 lower-case letters, digits, "-", "_" or "'"`];
}

function checkDescription(description: string, what = "description"): readonly string[] {
  return description.trim() !== "" && description.length <= DESCRIPTION_LIMIT
    ? []
    : [`${what} must have 1 to ${DESCRIPTION_LIMIT} characters, has ${description.length}`];
}

function checkOptions(options: Options<keyof Services>): readonly string[] {
  const entries = Object.entries(options);
  const problems = entries.flatMap(([name, option]) => [
    ...checkName(name, "option"),
    ...checkDescription(option.description, `option "${name}": description`),
    ...checkValues(option).map((problem) => `option "${name}": ${problem}`),
  ]);
  if (entries.length > OPTIONS_LIMIT) {
    problems.push(`has ${entries.length} options; Discord takes ${OPTIONS_LIMIT}`);
  }
  const firstOptional = entries.findIndex(([, option]) => !option.required);
  const late = entries.findLastIndex(([, option]) => option.required);
  if (firstOptional !== -1 && late > firstOptional) {
    problems.push(`option "${entries[late]?.[0]}" is required and must stand before the optional ones`);
  }
  return problems;
}

function checkValues(option: Option<keyof Services>): readonly string[] {
  switch (option.type) {
    case "string": {
      const choices = option.choices ?? [];
      return [
        ...(option.choices && option.autocomplete ? ["has both choices and autocomplete"] : []),
        ...(choices.length > CHOICES_LIMIT ? [`has ${choices.length} choices; Discord takes 25`] : []),
        ...choices
          .filter(({ name, value }) =>
            [name, value].some((text) => text === "" || text.length > CHOICE_LIMIT),
          )
          .map(({ name }) => `choice "${name}" must have 1 to ${CHOICE_LIMIT} characters in name and value`),
        ...checkRange(option.minLength, option.maxLength),
        ...((option.maxLength ?? 1) > TEXT_VALUE_LIMIT || (option.maxLength ?? 1) < 1
          ? [`maxLength must be 1 to ${TEXT_VALUE_LIMIT}`]
          : []),
      ];
    }
    case "integer":
    case "number":
      return checkRange(option.min, option.max);
    case "attachment":
      return (option.fileTypes ?? []).length > FILE_TYPES_LIMIT
        ? [`names more than ${FILE_TYPES_LIMIT} file types`]
        : [];
    case "channel":
      return option.channelTypes?.length === 0 ? ["offers no type of channel"] : [];
    case "boolean":
    case "role":
      return [];
  }
}

function checkRange(least: number | undefined, most: number | undefined): readonly string[] {
  return least !== undefined && most !== undefined && least > most
    ? [`the least (${least}) is above the most (${most})`]
    : [];
}

function countCharacters(command: Command): number {
  const own = command.kind === "group" ? countGroups(command) : 0;
  return runnablesOf(command).reduce(
    (sum, runnable) => sum + countRunnable(runnable.path, runnable.definition),
    own,
  );
}

function countGroups({ name, definition, groups }: CommandGroup): number {
  return [...groups].reduce(
    (sum, [group, { description }]) => sum + group.length + description.length,
    name.length + definition.description.length,
  );
}

function countRunnable(path: string, definition: AnyDefinition): number {
  const options = Object.entries(definition.options ?? {}).map(([name, option]) => {
    const choices = option.type === "string" ? (option.choices ?? []) : [];
    return choices.reduce(
      (sum, choice) => sum + choice.name.length + choice.value.length,
      name.length + option.description.length,
    );
  });
  const name = path.split("/").at(-1) ?? "";
  return options.reduce((sum, size) => sum + size, name.length + definition.description.length);
}
