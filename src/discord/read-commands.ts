// Finds the commands by reading their folder: a file is a command, a folder with command.ts is a command
// whose other files are its subcommands.
import { readdir } from "node:fs/promises";
import { z } from "zod";
import { checkCommands } from "./check-command.ts";
import type { AnyDefinition, Command, Leaf } from "./command.ts";
import type { CommandGroupDefinition, Permission } from "./define.ts";

const ENDING = ".ts";
const GROUP_FILE = `command${ENDING}`;

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
  const files = (await readdir(url)).filter(isModule).toSorted(compare);
  if (!files.includes(GROUP_FILE)) {
    return undefined;
  }
  const module = groupModule.safeParse(await import(new URL(GROUP_FILE, url).href));
  if (!module.success) {
    throw new Error(`${folder}/${GROUP_FILE}: ${z.prettifyError(module.error)}`);
  }
  const definition = module.data.default;
  const leaves = await Promise.all(
    files
      .filter((file) => file !== GROUP_FILE)
      .map(async (file) => {
        const leaf = await readDefinition(new URL(file, url), `${folder}/${file}`);
        return createLeaf(`${folder}/${nameOf(file)}`, folder, definition.default, leaf);
      }),
  );
  return { kind: "group", name: folder, definition, leaves };
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
