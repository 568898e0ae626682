// Messages keep the ids of their components for years, so each form that was ever posted must still be readable.
import { readFileSync } from "node:fs";
import { beforeAll, expect, it } from "vitest";
import { parseComponentId, type ArgsCodec } from "../../src/core/component-id.ts";
import { commandFilesOf } from "../../src/discord/registry.ts";
import { readCommands } from "../../src/discord/read-commands.ts";

const KINDS = ["buttons", "selects", "modals"] as const;

/** The kinds of components, with ids that were posted. */
const stored = readFileSync(new URL("../fixtures/stored-ids.txt", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .map((line) => {
    const kind = line.slice(0, line.indexOf(" "));
    const id = line.slice(kind.length + 1);
    const target = parseComponentId(id);
    return { line, route: `${kind} ${target?.command}:${target?.action}`, args: target?.args ?? {} };
  });

/** Ids of comments and videos that earlier versions wrote; they are still read, but no longer written. */
const OLD_FORMS = /(?:&c=10203040506071818_31|doubt:again:1:p=abcd1234&v=\d[\d_]*)$/;
/** Arguments besides a component's own, by which the bot finds its message again. */
const MESSAGE_KEYS = new Set(["a", "d", "n", "p"]);

let routes = new Map<string, ArgsCodec<object> | undefined>();

beforeAll(async () => {
  const commands = await readCommands(new URL("../../commands/", import.meta.url));
  routes = new Map(
    commands
      .flatMap(commandFilesOf)
      .flatMap(({ path, definition }) =>
        KINDS.flatMap((kind) =>
          Object.entries(definition[kind] ?? {}).map(
            ([action, { args }]) =>
              [`${kind} ${path}:${action}`, args as ArgsCodec<object> | undefined] as const,
          ),
        ),
      ),
  );
});

it("every component has ids in the list, and every id leads to a component", () => {
  expect(routes.size).toBeGreaterThanOrEqual(126);
  expect([...new Set(stored.map(({ route }) => route))].toSorted()).toEqual([...routes.keys()].toSorted());
});

it("every stored id can be read and is written again unchanged", () => {
  const rewritten = stored.map(({ line, route, args }) => {
    const codec = routes.get(route);
    const read = codec?.decode(args);
    if (codec === undefined || read === undefined || OLD_FORMS.test(line)) {
      return { line, isRead: codec === undefined || read !== undefined, same: true };
    }
    const own = codec.encode(read);
    const ofId = Object.entries(args).filter(([key]) => key in own || !MESSAGE_KEYS.has(key));
    return { line, isRead: true, same: JSON.stringify(Object.entries(own)) === JSON.stringify(ofId) };
  });
  expect(rewritten.filter(({ isRead, same }) => !isRead || !same)).toEqual([]);
});
