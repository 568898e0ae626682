// Finds the commands by reading their folder: a file is a command, and so is a folder with command.ts. Its other files
// are subcommands, or hold only what can be pressed. A folder in that one with group.ts is a group that several
// subcommands share.
import { readdir } from "node:fs/promises";
import { z } from "zod";
import { checkCommands } from "./check-command.ts";
import type { AnyComponents, AnyDefinition, Command, Runnable, CommandFile } from "./command.ts";
import type { CommandGroupDefinition, SubcommandGroupDefinition } from "./define.ts";

/** TypeScript, or what a bundle made of it. */
const ENDING = /(?<!\.d)\.[jt]s$/;
const COMMAND = "command";
const GROUP = "group";

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
  const runnable = { path: name, ...withinOf(name, definition), definition };
  return { kind: "single", name, runnable, components: [] };
}

async function readFolder(name: string, root: URL): Promise<Command | undefined> {
  const url = asFolder(new URL(encodeURIComponent(name), root));
  const { files, folders } = await list(url);
  const file = fileNamed(COMMAND, files);
  if (file === undefined) {
    return undefined;
  }
  const definition = await readDefault(
    new URL(file, url),
    `${name}/${file}`,
    (value) => isCommand(value) || isGroup(value),
    "defineCommandGroup or defineCommand",
  );
  const within = withinOf(name, definition);
  const commandFiles = await readCommandFiles(url, name, files, within);
  const groups = new Map<string, SubcommandGroupDefinition>();
  for (const group of folders) {
    const below = asFolder(new URL(encodeURIComponent(group), url));
    const path = `${name}/${group}`;
    const { files: members } = await list(below);
    const groupFile = fileNamed(GROUP, members);
    if (groupFile !== undefined) {
      const place = new URL(groupFile, below);
      groups.set(group, await readDefault(place, `${path}/${groupFile}`, isGroup, "defineSubcommandGroup"));
      commandFiles.push(...(await readCommandFiles(below, path, members, within)));
    }
  }
  const runnables = commandFiles.filter(isRunnable);
  const components = commandFiles.filter((commandFile) => !isRunnable(commandFile));
  if (!isCommand(definition)) {
    return { kind: "group", name, definition, groups, runnables, components };
  }
  if (runnables.length > 0 || groups.size > 0) {
    const names = [...runnables.map(({ path }) => path), ...groups.keys()].join(", ");
    throw new Error(`${name}/${file}: runs by itself, so that it can have no subcommands: ${names}`);
  }
  return { kind: "single", name, runnable: { path: name, ...within, definition }, components };
}

type Within = Pick<CommandFile, "command" | "permission" | "ownerOnly">;

/** What holds for all files of a command. */
function withinOf(command: string, definition: AnyDefinition | CommandGroupDefinition): Within {
  const ownerOnly = "ownerOnly" in definition ? definition.ownerOnly : undefined;
  return { command, permission: definition.default, ownerOnly };
}

function readCommandFiles(
  url: URL,
  path: string,
  files: readonly string[],
  within: Within,
): Promise<CommandFile[]> {
  return Promise.all(
    files
      .filter((file) => ![COMMAND, GROUP].includes(nameOf(file)))
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

function isRunnable(commandFile: CommandFile): commandFile is Runnable {
  return isCommand(commandFile.definition);
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
  return ENDING.test(file);
}

function nameOf(file: string): string {
  return file.replace(ENDING, "");
}

function fileNamed(name: string, files: readonly string[]): string | undefined {
  return files.find((file) => nameOf(file) === name);
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

function isCommand(value: unknown): value is AnyDefinition {
  return commandShape.safeParse(value).success;
}

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
