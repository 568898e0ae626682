// Finds the commands by reading their folder. A file is a command, and so is a folder with command.ts, whose other
// files are subcommands or contain only components and forms. A folder inside it with group.ts is a subcommand group.
// Discord checks the commands when they are registered; a test checks the bot's own rules for them.
import { readdir } from "node:fs/promises";
import { join, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { z } from "zod";
import type { AnyComponents, AnyDefinition, Command, CommandFile, Runnable } from "./registry.ts";
import type { CommandGroupDefinition, InteractionContext } from "./define.ts";

/** TypeScript, or the JavaScript in a bundle. */
const ENDING = /(?<!\.d)\.[jt]s$/;

interface Module {
  /** The path of the file, e.g. `video/account/link.ts`. */
  readonly file: string;
  /** The path without its ending. */
  readonly path: string;
  readonly exported: unknown;
}

/** Loads every command of a folder, in alphabetical order. Throws an Error that names the file if one exports no command. */
export async function readCommands(folder: URL): Promise<readonly Command[]> {
  const root = fileURLToPath(folder);
  const files = (await readdir(root, { recursive: true }))
    .filter((file) => ENDING.test(file))
    .map((file) => file.replaceAll(sep, "/"))
    .toSorted()
    // Files in deeper folders come last.
    .toSorted((one, other) => one.split("/").length - other.split("/").length);
  const modules = await Promise.all(
    files.map(async (file): Promise<Module> => {
      const module: unknown = await import(pathToFileURL(join(root, file)).href);
      return { file, path: file.replace(ENDING, ""), exported: Object(module).default };
    }),
  );
  const byCommand = Map.groupBy(modules, ({ path }) => path.split("/")[0] ?? "");
  const names = [...byCommand.keys()].toSorted();
  return names.flatMap((name) => createCommand(name, byCommand.get(name) ?? []) ?? []);
}

const EVERYWHERE: readonly InteractionContext[] = ["guild", "bot-dm", "private-channel"];

/** `undefined` for a folder without command.ts. */
function createCommand(name: string, modules: readonly Module[]): Command | undefined {
  const own = modules.find(({ path }) => path === name || path === `${name}/command`);
  if (own === undefined) {
    return undefined;
  }
  const isFolder = own.path !== name;
  const definition = readExport(
    own,
    (value): value is AnyDefinition | CommandGroupDefinition =>
      isCommand(value) || (isFolder && isGroup(value)),
    isFolder ? "defineCommandGroup or defineCommand" : "defineCommand",
  );
  const ownerOnly = "ownerOnly" in definition ? definition.ownerOnly : undefined;
  const { description, default: permission, contexts = EVERYWHERE } = definition;
  const command = { name, description, permission, contexts };
  const within = { command: name, permission, ownerOnly };
  const groups = new Map<string, string>();
  const commandFiles: CommandFile[] = [];
  for (const module of modules) {
    const [, group, file] = module.path.split("/");
    if (file === "group" && group !== undefined) {
      groups.set(group, readExport(module, isGroup, "defineSubcommandGroup").description);
    } else if (module !== own) {
      if (file !== undefined && !modules.some(({ path }) => path === `${name}/${group}/group`)) {
        throw new Error(`${module.file}: is in a folder without group.ts`);
      }
      const known = readExport(
        module,
        (value) => isCommand(value) || isComponents(value),
        "defineCommand or defineComponents",
      );
      commandFiles.push({ path: module.path, ...within, definition: known });
    }
  }
  const runnables = commandFiles.filter(isRunnable);
  const components = commandFiles.filter((commandFile) => !isRunnable(commandFile));
  if (!isCommand(definition)) {
    return { ...command, groups, runnables, components };
  }
  if (runnables.length > 0 || groups.size > 0) {
    const names = [...runnables.map(({ path }) => path), ...groups.keys()].join(", ");
    throw new Error(`${own.file}: has a run function, so it cannot have subcommands: ${names}`);
  }
  return { ...command, groups, runnables: [{ path: name, ...within, definition }], components };
}

function isRunnable(commandFile: CommandFile): commandFile is Runnable {
  return isCommand(commandFile.definition);
}

// The schemas check only enough to tell a command's export from that of another module: the function that made it has
// checked its types.

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

/** Whether it was made by `defineCommandGroup` or `defineSubcommandGroup`, whose other fields are optional. */
function isGroup(value: unknown): value is CommandGroupDefinition {
  return groupShape.safeParse(value).success;
}

function readExport<T>(
  { file, exported }: Module,
  isExpected: (value: unknown) => value is T,
  makers: string,
): T {
  if (!isExpected(exported)) {
    throw new Error(`${file}: has no default export made by ${makers}`);
  }
  return exported;
}
