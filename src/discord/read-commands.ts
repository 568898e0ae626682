// Finds the commands by reading their folder: a file is a command, and so is a folder with command.ts. Its other files
// are subcommands, or hold only what can be pressed. A folder in that one with group.ts is a word that several
// subcommands share.
import { readdir } from "node:fs/promises";
import { z } from "zod";
import { checkCommands } from "./check-command.ts";
import type { AnyComponents, AnyDefinition, Command, Leaf, Part } from "./command.ts";
import type { CommandGroupDefinition, SubcommandGroupDefinition } from "./define.ts";

const ENDING = ".ts";
const COMMAND_FILE = `command${ENDING}`;
const WORD_FILE = `group${ENDING}`;

/**
 * Loads every command of a folder, in the order of names.
 * Throws an Error that lists all rules of Discord's they break, with the files' names.
 */
export async function readCommands(folder: URL): Promise<readonly Command[]> {
  const root = asFolder(folder);
  const entries = (await readdir(root, { withFileTypes: true })).toSorted((a, b) => compare(a.name, b.name));
  const commands = await Promise.all(
    entries
      .filter((entry) => entry.isDirectory() || isModule(entry.name))
      .map(({ name }) => (isModule(name) ? readSingle(name, root) : readFolder(name, root))),
  );
  const found = commands.filter((command) => command !== undefined);
  const problems = checkCommands(found);
  if (problems.length > 0) {
    throw new Error(`The commands cannot be registered:\n${problems.join("\n")}`);
  }
  return found;
}

async function readSingle(file: string, root: URL): Promise<Command> {
  const name = nameOf(file);
  const definition = await readDefault(new URL(file, root), file, isCommand, "defineCommand");
  const leaf = { path: name, command: name, permission: definition.default, definition };
  return { kind: "single", name, leaf, components: [] };
}

async function readFolder(name: string, root: URL): Promise<Command | undefined> {
  const url = asFolder(new URL(encodeURIComponent(name), root));
  const { files, folders } = await list(url);
  if (!files.includes(COMMAND_FILE)) {
    return undefined;
  }
  const definition = await readDefault(
    new URL(COMMAND_FILE, url),
    `${name}/${COMMAND_FILE}`,
    (value) => isCommand(value) || isGroup(value),
    "defineCommandGroup or defineCommand",
  );
  const within = { command: name, permission: definition.default };
  const parts = await readParts(url, name, files, within);
  const words = new Map<string, SubcommandGroupDefinition>();
  for (const word of folders) {
    const below = asFolder(new URL(encodeURIComponent(word), url));
    const path = `${name}/${word}`;
    const { files: members } = await list(below);
    if (members.includes(WORD_FILE)) {
      const file = new URL(WORD_FILE, below);
      words.set(word, await readDefault(file, `${path}/${WORD_FILE}`, isGroup, "defineSubcommandGroup"));
      parts.push(...(await readParts(below, path, members, within)));
    }
  }
  const leaves = parts.filter(isLeaf);
  const components = parts.filter((part) => !isLeaf(part));
  if (!isCommand(definition)) {
    return { kind: "group", name, definition, words, leaves, components };
  }
  if (leaves.length > 0 || words.size > 0) {
    const names = [...leaves.map(({ path }) => path), ...words.keys()].join(", ");
    throw new Error(`${name}/${COMMAND_FILE}: runs by itself, so that it can have no subcommands: ${names}`);
  }
  return { kind: "single", name, leaf: { path: name, ...within, definition }, components };
}

function readParts(
  url: URL,
  path: string,
  files: readonly string[],
  within: Pick<Part, "command" | "permission">,
): Promise<Part[]> {
  return Promise.all(
    files
      .filter((file) => file !== COMMAND_FILE && file !== WORD_FILE)
      .map(async (file) => ({
        path: `${path}/${nameOf(file)}`,
        ...within,
        definition: await readDefault(
          new URL(file, url),
          `${path}/${file}`,
          (value): value is AnyComponents | AnyDefinition => isCommand(value) || isComponents(value),
          "defineCommand or defineComponents",
        ),
      })),
  );
}

function isLeaf(part: Part): part is Leaf {
  return isCommand(part.definition);
}

/** In the order of names. */
async function list(
  url: URL,
): Promise<{ readonly files: readonly string[]; readonly folders: readonly string[] }> {
  const entries = (await readdir(url, { withFileTypes: true })).toSorted((a, b) => compare(a.name, b.name));
  const isFolder = new Map(entries.map((entry) => [entry.name, entry.isDirectory()]));
  const names = entries.map(({ name }) => name);
  return {
    files: names.filter((name) => isFolder.get(name) !== true && isModule(name)),
    folders: names.filter((name) => isFolder.get(name) === true),
  };
}

function asFolder(url: URL): URL {
  return url.href.endsWith("/") ? url : new URL(`${url.href}/`);
}

function isModule(file: string): boolean {
  return file.endsWith(ENDING) && !file.endsWith(`.d${ENDING}`);
}

function nameOf(file: string): string {
  return file.slice(0, -ENDING.length);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

// Loads what a file of the commands' folder exports, enough of which is looked at to tell it from another module: its
// types were checked by the function that made it.

const commandShape = z.object({ description: z.string(), run: z.function() });
const groupShape = z.object({ description: z.string(), run: z.never().optional() });
const handlers = z.record(z.string(), z.object({ run: z.function() }));
const componentsShape = z
  .object({
    run: z.never().optional(),
    buttons: handlers.optional(),
    selects: handlers.optional(),
    modals: handlers.optional(),
  })
  .refine(({ buttons, selects, modals }) => buttons ?? selects ?? modals);

/** Of `defineCommand`. */
function isCommand(value: unknown): value is AnyDefinition {
  return commandShape.safeParse(value).success;
}

/** Of `defineComponents`. */
function isComponents(value: unknown): value is AnyComponents {
  return componentsShape.safeParse(value).success;
}

/** Of `defineCommandGroup` or `defineSubcommandGroup`: what else these may say is optional. */
function isGroup(value: unknown): value is CommandGroupDefinition & SubcommandGroupDefinition {
  return groupShape.safeParse(value).success;
}

/** The module's default export. Throws an Error that names the file where it is another than `isExpected` knows. */
async function readDefault<T>(
  url: URL,
  file: string,
  isExpected: (value: unknown) => value is T,
  makers: string,
): Promise<T> {
  const module = z.object({ default: z.unknown() }).safeParse(await import(url.href));
  const made = module.data?.default;
  if (!isExpected(made)) {
    throw new Error(`${file}: has no default export made by ${makers}`);
  }
  return made;
}
