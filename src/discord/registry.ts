// Which commands this bot offers, and where each kind of interaction goes.
import type { ComponentTarget } from "../core/component-id.ts";
import type { Services } from "./define/services.ts";
import {
  type Command,
  type ComponentHandler,
  type Leaf,
  type MessagesHandler,
  type ModalHandler,
  type Part,
  leavesOf,
  partsOf,
} from "./command.ts";
import type { Place } from "./define.ts";
import { rightsOf } from "./payload.ts";

/** Finds what an interaction is for; `undefined` for what this version of the bot does not know. */
export interface Registry {
  /** Those whose needs are configured. */
  readonly commands: readonly Command[];
  /** `subcommand` as `findSubcommand` of read-options.ts has it. */
  readonly slash: (command: string, subcommand: string | undefined) => Leaf | undefined;
  readonly messageMenu: (name: string) => Leaf | undefined;
  /** Those that take files which people send, in a server or in a DM, in the order of names. */
  readonly messages: (place: Place) => readonly Taker[];
  readonly button: (target: ComponentTarget) => Route<ComponentHandler> | undefined;
  readonly select: (target: ComponentTarget) => Route<ComponentHandler> | undefined;
  readonly modal: (target: ComponentTarget) => Route<ModalHandler> | undefined;
}

/** A handler and the file whose rights and manners it follows. */
export interface Route<H> {
  readonly part: Part;
  readonly handler: H;
}

/** A command that takes files which people send. */
export interface Taker {
  readonly leaf: Leaf;
  readonly handler: MessagesHandler;
}

/** Leaves out what needs a service that is not there, and a folder of which nothing is left. */
export function createRegistry(all: readonly Command[], services: Partial<Services>): Registry {
  const has = ({ definition }: Part) =>
    (definition.needs ?? []).every((need) => services[need] !== undefined);
  const commands = all.flatMap((command): readonly Command[] => {
    const components = command.components.filter(has);
    if (command.kind === "single") {
      return has(command.leaf) ? [{ ...command, components }] : [];
    }
    const leaves = command.leaves.filter(has);
    return leaves.length === 0 ? [] : [{ ...command, leaves, components }];
  });
  const leaves = commands.flatMap(leavesOf);
  const parts = commands.flatMap(partsOf);
  const paths = new Map(leaves.map((leaf) => [leaf.path, leaf]));
  const menus = new Map(
    leaves.flatMap((leaf) => (leaf.definition.messageMenu ? [[leaf.definition.messageMenu.name, leaf]] : [])),
  );
  const buttons = routesOf(parts, ({ definition }) => definition.buttons);
  const selects = routesOf(parts, ({ definition }) => definition.selects);
  const modals = routesOf(parts, ({ definition }) => definition.modals);

  return {
    commands,
    slash: (command, subcommand) =>
      paths.get(subcommand === undefined ? command : `${command}/${subcommand}`),
    messageMenu: (name) => menus.get(name),
    messages: (place) =>
      commands.flatMap((command) =>
        leavesOf(command).flatMap((leaf) => {
          const handler = leaf.definition.messages;
          const places = handler?.places ?? rightsOf(command).places;
          return handler && places.includes(place) ? [{ leaf, handler }] : [];
        }),
      ),
    button: (target) => buttons.get(keyOf(target.command, target.action)),
    select: (target) => selects.get(keyOf(target.command, target.action)),
    modal: (target) => modals.get(keyOf(target.command, target.action)),
  };
}

function routesOf<H>(
  parts: readonly Part[],
  handlersOf: (part: Part) => Readonly<Record<string, H>> | undefined,
): ReadonlyMap<string, Route<H>> {
  return new Map(
    parts.flatMap((part) =>
      Object.entries(handlersOf(part) ?? {}).map(([action, handler]) => [
        keyOf(part.path, action),
        { part, handler },
      ]),
    ),
  );
}

function keyOf(command: string, action: string): string {
  return `${command}:${action}`;
}
