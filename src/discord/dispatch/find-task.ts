// What an interaction asks for: the handler, the arguments it takes, and where its answer goes.
import { parseComponentId, type ComponentTarget } from "../../core/component-id.ts";
import { UserError } from "../../core/errors.ts";
import { createMessageReference } from "../message-reference.ts";
import { callerOf } from "../caller.ts";
import type { AnyComponents, AnyPlace, Part } from "../command.ts";
import { MESSAGE_MENU } from "../command-ids.ts";
import type { AnswerPlace } from "../define/components.ts";
import type { Answer, Context } from "../define/context.ts";
import type {
  CommandInteraction,
  ComponentInteraction,
  FormInteraction,
  Interaction,
} from "../interaction.ts";
import type { Registry, Route } from "../registry.ts";
import type { Services } from "../define/services.ts";
import { DUPLICATE_KEY } from "../message-room.ts";
import type { Manner } from "./first-answer.ts";
import { readForm } from "./read-form.ts";
import { findSubcommand, readOptions } from "./read-options.ts";

/** Something to run. Reading what was typed is part of running: it may refuse with a UserError. */
export interface Task {
  /** For the log, e.g. `departures` or `departures:refresh`. */
  readonly name: string;
  /** Whose permission counts; `undefined` where Discord has checked it already, or nobody needs one. */
  readonly restrictedBy: Part | undefined;
  readonly manner: Manner;
  readonly run: (context: Context<keyof Services>) => Answer | Promise<Answer>;
}

const GONE_COMMAND =
  "I no longer know that command. Please restart Discord to refresh its list, or see what I can do with /help.";
const GONE_COMPONENT =
  "This message comes from an older version of me, so that no longer works. Please use its command again.";

/** In Discord's component types. */
const BUTTON = 2;

/** Finds the task. Throws a UserError for what this version of the bot does not know. */
export function findTask(
  interaction: CommandInteraction | ComponentInteraction | FormInteraction,
  registry: Registry,
): Task {
  switch (interaction.type) {
    case 2:
      return interaction.data.type === MESSAGE_MENU
        ? findMenu(interaction, registry)
        : findSlash(interaction, registry);
    case 3:
      return findComponent(interaction, registry);
    case 5:
      return findForm(interaction, registry);
  }
}

function findSlash({ data }: CommandInteraction, registry: Registry): Task {
  const { subcommand, options } = findSubcommand(data.options ?? []);
  const leaf = registry.slash(data.name, subcommand);
  if (!leaf) {
    throw new UserError(GONE_COMMAND);
  }
  const { definition, path } = leaf;
  const isPrivate = options.some(({ name, value }) => name === definition.privateBy && value === true);
  return {
    name: path,
    restrictedBy: undefined,
    manner: isPrivate ? "private" : deferOf(definition),
    run: (context) =>
      definition.run({ ...context, options: readOptions(definition.options ?? {}, options, data.resolved) }),
  };
}

function findMenu({ data }: CommandInteraction, registry: Registry): Task {
  const leaf = registry.messageMenu(data.name);
  const menu = leaf?.definition.messageMenu;
  const target = data.resolved?.messages?.[data.target_id ?? ""];
  if (!leaf || !menu || !target) {
    throw new UserError(GONE_COMMAND);
  }
  return {
    name: data.name,
    restrictedBy: undefined,
    manner: deferOf(leaf.definition),
    run: (context) => menu.run({ ...context, message: createMessageReference(target) }),
  };
}

function findComponent(interaction: ComponentInteraction, registry: Registry): Task {
  const { data, message } = interaction;
  const target = findTarget(data.custom_id);
  const find = data.component_type === BUTTON ? registry.button : registry.select;
  const { part, handler } = findRoute(find(target));
  const args = readArgs(handler, target);
  return {
    name: `${target.command}:${target.action}`,
    restrictedBy: handler.anyone ? undefined : part,
    manner: mannerOf(placeOf(handler.answers ?? "update", interaction, args), part),
    run: (context) =>
      handler.run({
        ...context,
        args,
        message: createMessageReference(message),
        chosen: data.values ?? [],
      }),
  };
}

function findForm(interaction: FormInteraction, registry: Registry): Task {
  const target = findTarget(interaction.data.custom_id);
  const { part, handler } = findRoute(registry.modal(target));
  const args = readArgs(handler, target);
  const message = interaction.message && createMessageReference(interaction.message);
  const place = message ? placeOf(handler.answers ?? "reply", interaction, args) : "reply";
  return {
    name: `${target.command}:${target.action}`,
    restrictedBy: part,
    manner: mannerOf(place, part),
    run: (context) => handler.run({ ...context, args, message, ...readForm(interaction) }),
  };
}

function mannerOf(place: AnswerPlace, { definition }: Part): Manner {
  return place === "reply" ? deferOf(definition) : place;
}

function placeOf(answers: AnyPlace, interaction: Interaction, args: unknown): AnswerPlace {
  return typeof answers === "function" ? answers({ args, caller: callerOf(interaction) }) : answers;
}

function findTarget(customId: string): ComponentTarget {
  const target = parseComponentId(customId);
  if (!target) {
    throw new UserError(GONE_COMPONENT);
  }
  return target;
}

function findRoute<H>(route: Route<H> | undefined): Route<H> {
  if (!route) {
    throw new UserError(GONE_COMPONENT);
  }
  return route;
}

function readArgs(handler: Route<{ readonly args: AnyArgs }>["handler"], target: ComponentTarget): unknown {
  const { [DUPLICATE_KEY]: _, ...args } = target.args;
  const parsed = handler.args.safeParse(args);
  if (!parsed.success) {
    throw new UserError(GONE_COMPONENT);
  }
  return parsed.data;
}

interface AnyArgs {
  safeParse(value: unknown): { readonly success: boolean; readonly data?: unknown };
}

function deferOf(definition: AnyComponents): "public" | "private" {
  return definition.defer ?? "public";
}
