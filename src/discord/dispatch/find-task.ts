import { ComponentType } from "discord.js";
import { type ParsedTarget, parseComponentId } from "../../core/component-id.ts";
import { UserError } from "../../core/errors.ts";
import { createMessageReference } from "../message-media.ts";
import {
  type CommandInteraction,
  type ComponentInteraction,
  type FormInteraction,
  type RawOption,
  type Resolved,
  type TaskInteraction,
  callerOf,
} from "../interaction.ts";
import type { CommandFile, ComponentHandler, Registry } from "../registry.ts";
import { MESSAGE_MENU } from "../directory.ts";
import type { AnswerMode } from "../define.ts";
import type { Answer, Media, Context, Services } from "../define/context.ts";
import { DUPLICATE_KEY } from "../reply-blocks.ts";
import type { RecentChoice } from "../../storage/recent-choices-table.ts";
import type { Option, Options } from "../define/options.ts";

/** A handler, ready to run. Running it also reads the options, so it may throw a UserError. */
export interface Task {
  /** The name for the log, e.g. `departures` or `departures:refresh`. */
  readonly name: string;
  /** The file whose command's permission counts. */
  readonly commandFile: CommandFile;
  /** Whether everyone who sees the message may use it, whatever permission its command needs. */
  readonly isForAnyone?: boolean;
  readonly answerMode: AnswerMode;
  readonly run: (context: Context<keyof Services>) => Answer | Promise<Answer>;
  /** The person's choices to remember. They come first in the person's suggestions from then on. */
  readonly choices?: (services: Services) => readonly RecentChoice[];
}

const GONE_COMMAND =
  "That command no longer exists. Restart Discord to refresh its list, or use `/help` to see what I can do.";
const GONE_COMPONENT =
  "This message is from an older version of me, so that no longer works. Please use the command again.";

const BUTTON: number = ComponentType.Button;

/** Throws a UserError for an unknown command or component. `seenVersion`: see {@link ModalDefinition}. */
export function findTask(
  interaction: TaskInteraction,
  registry: Registry,
  seenVersion: string | undefined,
): Task {
  switch (interaction.type) {
    case 2:
      return interaction.data.type === MESSAGE_MENU
        ? findMenu(interaction, registry)
        : findSlash(interaction, registry);
    case 3:
      return findComponent(interaction, registry);
    case 5:
      return findForm(interaction, registry, seenVersion);
  }
}

function findSlash({ data }: CommandInteraction, registry: Registry): Task {
  const { path, options } = readCommandData(data);
  const runnable = registry.slash(path);
  if (!runnable) {
    throw new UserError(GONE_COMMAND, "outdated");
  }
  const { definition } = runnable;
  const typed = Object.fromEntries(options.map(({ name, value }) => [name, value]));
  return {
    name: path,
    commandFile: runnable,
    answerMode: definition.isPrivate?.(typed) ? "private" : (definition.defer ?? "public"),
    run: (context) =>
      definition.run({ ...context, options: readOptions(definition.options ?? {}, options, data.resolved) }),
    choices: (services) =>
      options.flatMap(({ name, value }) => {
        const option = definition.options?.[name];
        const recall = option?.type === "string" ? option.recall : undefined;
        const chosen = recall?.valueOf({ text: String(value), services });
        return recall && chosen !== undefined ? [{ kind: recall.kind, value: chosen }] : [];
      }),
  };
}

function findMenu({ data }: CommandInteraction, registry: Registry): Task {
  const runnable = registry.messageMenu(data.name);
  const menu = runnable?.definition.messageMenu;
  const target = data.resolved?.messages?.[data.target_id ?? ""];
  if (!runnable || !menu || !target) {
    throw new UserError(GONE_COMMAND, "outdated");
  }
  return {
    name: data.name,
    commandFile: runnable,
    answerMode: menu.defer ?? runnable.definition.defer ?? "public",
    run: (context) => menu.run({ ...context, message: createMessageReference(target) }),
  };
}

function findComponent(interaction: ComponentInteraction, registry: Registry): Task {
  const { data, message } = interaction;
  const target = requireKnown(parseComponentId(data.custom_id));
  const find = data.component_type === BUTTON ? registry.button : registry.select;
  const { commandFile, handler } = requireKnown(find(target));
  const args = readArgs(handler, target);
  return {
    name: `${target.command}:${target.action}`,
    commandFile,
    isForAnyone: handler.anyone ?? false,
    answerMode: answerModeOf(handler.answers ?? "update", interaction, args),
    run: (context) =>
      handler.run({
        ...context,
        args,
        message: createMessageReference(message),
        chosen: data.values ?? [],
      }),
  };
}

function findForm(interaction: FormInteraction, registry: Registry, seenVersion: string | undefined): Task {
  const target = requireKnown(parseComponentId(interaction.data.custom_id));
  const { commandFile, handler } = requireKnown(registry.modal(target));
  const args = readArgs(handler, target);
  const message = interaction.message && createMessageReference(interaction.message);
  const usualMode = commandFile.definition.defer ?? "public";
  return {
    name: `${target.command}:${target.action}`,
    commandFile,
    answerMode: message ? answerModeOf(handler.answers ?? usualMode, interaction, args) : usualMode,
    run: (context) => handler.run({ ...context, args, message, seenVersion, ...readFields(interaction) }),
  };
}

function answerModeOf(
  answers: NonNullable<ComponentHandler["answers"]>,
  interaction: TaskInteraction,
  args: unknown,
): AnswerMode {
  return typeof answers === "function" ? answers({ args, caller: callerOf(interaction) }) : answers;
}

function requireKnown<T>(value: T | undefined): T {
  if (value === undefined) {
    throw new UserError(GONE_COMPONENT, "outdated");
  }
  return value;
}

function readArgs({ args: codec }: Pick<ComponentHandler, "args">, target: ParsedTarget): unknown {
  const { [DUPLICATE_KEY]: _, ...args } = target.args;
  return codec === undefined ? {} : requireKnown(codec.decode(args));
}

/** Reads a submitted form: texts and choices into `fields`, uploads into `files`. An empty field is an empty list. */
export function readFields({ data }: FormInteraction): {
  readonly fields: Readonly<Record<string, readonly string[]>>;
  readonly files: Readonly<Record<string, readonly Media[]>>;
} {
  const fields: Record<string, readonly string[]> = {};
  const files: Record<string, readonly Media[]> = {};
  const attachments = data.resolved?.attachments ?? {};
  for (const { component } of data.components) {
    if (component?.custom_id === undefined) {
      continue;
    }
    const values = component.values ?? valueOf(component.value);
    if (component.type === ComponentType.FileUpload) {
      files[component.custom_id] = values.flatMap((value) => attachments[value] ?? []);
    } else {
      fields[component.custom_id] = values;
    }
  }
  return { fields, files };
}

function valueOf(value: string | boolean | null | undefined): readonly string[] {
  return value === undefined || value === null || value === "" ? [] : [String(value)];
}

const SUBCOMMAND = 1;
const GROUP = 2;

type CommandData = Pick<CommandInteraction["data"], "name" | "options">;

/** The path of a command or subcommand, e.g. `board/subscribe`, and the options that the person typed. */
export function readCommandData({ name, options = [] }: CommandData): {
  readonly path: string;
  readonly options: readonly RawOption[];
} {
  const [first] = options;
  return first?.type === SUBCOMMAND || first?.type === GROUP
    ? readCommandData({ ...first, name: `${name}/${first.name}` })
    : { path: name, options };
}

/** Throws a UserError for values that do not fit: a client may show the command as it was before an update. */
export function readOptions(
  definition: Options<keyof Services>,
  typed: readonly RawOption[],
  resolved: Resolved | undefined,
): Readonly<Record<string, unknown>> {
  const values: Record<string, unknown> = {};
  for (const [name, option] of Object.entries(definition)) {
    const raw = typed.find((each) => each.name === name)?.value;
    const value = raw === undefined ? undefined : readValue(option, raw, resolved);
    if (value === undefined && (option.required || raw !== undefined)) {
      throw new UserError(
        "This command has changed since your Discord loaded it. Please type it again. If that doesn't help, restart Discord.",
      );
    }
    values[name] = value;
  }
  return values;
}

function readValue(
  option: Option<keyof Services>,
  raw: string | number | boolean,
  resolved: Resolved | undefined,
): unknown {
  switch (option.type) {
    case "string":
      return typeof raw === "string" && isChoice(option.choices, raw) ? raw : undefined;
    case "integer":
      return Number.isInteger(raw) && isWithin(option, Number(raw)) ? raw : undefined;
    case "number":
      return typeof raw === "number" && isWithin(option, raw) ? raw : undefined;
    case "boolean":
      return typeof raw === "boolean" ? raw : undefined;
    case "attachment":
      return resolved?.attachments?.[String(raw)];
    case "channel": {
      const channel = resolved?.channels?.[String(raw)];
      return channel && { id: channel.id, name: channel.name ?? undefined };
    }
    case "role":
      return resolved?.roles?.[String(raw)];
  }
}

function isChoice(choices: readonly { readonly value: string }[] | undefined, value: string): boolean {
  return choices === undefined || choices.some((choice) => choice.value === value);
}

function isWithin(option: { readonly min?: number; readonly max?: number }, value: number): boolean {
  return value >= (option.min ?? -Infinity) && value <= (option.max ?? Infinity);
}
