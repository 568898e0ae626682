// Finds the commands by reading their folder: a file is a command, a folder with command.ts is a command whose other
// files are its subcommands. A folder in that one with group.ts is a word that several of them share.
import { readdir } from "node:fs/promises";
import { z } from "zod";
import { checkCommands } from "./check-command.ts";
import type { AnyDefinition, Command, Leaf } from "./command.ts";
import type { CommandGroupDefinition, Permission, SubcommandGroupDefinition } from "./define.ts";

const ENDING = ".ts";
const GROUP_FILE = `command${ENDING}`;
const WORD_FILE = `group${ENDING}`;

/** Enough of the shape to tell a command from another module; its types were checked by `defineCommand`. */
const leafModule = z.object({
  default: z.custom<AnyDefinition>(
    (value) => definitionShape.safeParse(value).success,
    "has no default export made by defineCommand",
  ),
});
const definitionShape = z.object({ description: z.string(), run: z.function() });

const groupModule = z.object({
  default: z.custom<CommandGroupDefinition>(
    (value) => z.object({ description: z.string() }).safeParse(value).success,
    "has no default export made by defineCommandGroup",
  ),
});

const wordModule = z.object({
  default: z.custom<SubcommandGroupDefinition>(
    (value) => z.object({ description: z.string() }).safeParse(value).success,
    "has no default export made by defineSubcommandGroup",
  ),
});

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
      .map(({ name }) => (isModule(name) ? readSingle(name, root) : readGroup(name, root))),
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
  const definition = await readDefinition(new URL(file, root), file);
  return { kind: "single", name, leaf: createLeaf(name, name, definition.default, definition) };
}

async function readGroup(folder: string, root: URL): Promise<Command | undefined> {
  const url = asFolder(new URL(encodeURIComponent(folder), root));
  const { files, folders } = await list(url);
  if (!files.includes(GROUP_FILE)) {
    return undefined;
  }
  const module = groupModule.safeParse(await import(new URL(GROUP_FILE, url).href));
  if (!module.success) {
    throw new Error(`${folder}/${GROUP_FILE}: ${z.prettifyError(module.error)}`);
  }
  const definition = module.data.default;
  const within = { command: folder, permission: definition.default };
  const leaves = await readLeaves(url, folder, files, within);
  const words = new Map<string, SubcommandGroupDefinition>();
  for (const word of folders) {
    const below = asFolder(new URL(encodeURIComponent(word), url));
    const path = `${folder}/${word}`;
    const { files: members } = await list(below);
    if (members.includes(WORD_FILE)) {
      words.set(word, await readWord(new URL(WORD_FILE, below), `${path}/${WORD_FILE}`));
      leaves.push(...(await readLeaves(below, path, members, within)));
    }
  }
  return { kind: "group", name: folder, definition, words, leaves };
}

function readLeaves(
  url: URL,
  path: string,
  files: readonly string[],
  { command, permission }: Pick<Leaf, "command" | "permission">,
): Promise<Leaf[]> {
  return Promise.all(
    files
      .filter((file) => file !== GROUP_FILE && file !== WORD_FILE)
      .map(async (file) => {
        const definition = await readDefinition(new URL(file, url), `${path}/${file}`);
        return createLeaf(`${path}/${nameOf(file)}`, command, permission, definition);
      }),
  );
}

async function readWord(url: URL, file: string): Promise<SubcommandGroupDefinition> {
  const module = wordModule.safeParse(await import(url.href));
  if (!module.success) {
    throw new Error(`${file}: ${z.prettifyError(module.error)}`);
  }
  return module.data.default;
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

async function readDefinition(url: URL, file: string): Promise<AnyDefinition> {
  const module = leafModule.safeParse(await import(url.href));
  if (!module.success) {
    throw new Error(`${file}: ${z.prettifyError(module.error)}`);
  }
  return module.data.default;
}

function createLeaf(
  path: string,
  command: string,
  permission: Permission | undefined,
  definition: AnyDefinition,
): Leaf {
  return { path, command, permission, definition };
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
