// Views name the handlers of components as text, so each name must exist in a command's file.
import { readdirSync, readFileSync } from "node:fs";
import { beforeAll, expect, it } from "vitest";
import { commandFilesOf, type Command } from "../../src/discord/registry.ts";
import { readCommands } from "../../src/discord/read-commands.ts";
import { formatCommand } from "../../src/discord/payload.ts";

const NAMED = /command: "([\w/-]+)", action: "([\w-]+)"/g;

let commands: readonly Command[] = [];

beforeAll(async () => {
  commands = await readCommands(new URL("../../commands/", import.meta.url));
});

function sources(folder: string): readonly string[] {
  const url = new URL(`../../${folder}/`, import.meta.url);
  return readdirSync(url, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .map((file) => readFileSync(new URL(file, url), "utf8"));
}

it("every command and action that views and commands name has a handler", () => {
  const named = ["src", "commands"]
    .flatMap(sources)
    .flatMap((text) => [...text.matchAll(NAMED)].map(([, command, action]) => `${command}:${action}`));
  const pressable = new Set(
    commands
      .flatMap(commandFilesOf)
      .flatMap(({ path, definition }) =>
        [definition.buttons, definition.selects, definition.modals]
          .flatMap((handlers) => Object.keys(handlers ?? {}))
          .map((action) => `${path}:${action}`),
      ),
  );
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((target) => !pressable.has(target))).toEqual([]);
});

it("a file with only components is not a subcommand, and has its command's permission", () => {
  const video = commands.find(({ name }) => name === "video");
  const components = video?.components.map(({ path, permission }) => `${path} ${permission}`);
  expect(components).toEqual([
    "video/card ManageGuild",
    "video/comment ManageGuild",
    "video/doubt ManageGuild",
    "video/publication ManageGuild",
  ]);
  const [registered] = video ? formatCommand(video, true) : [];
  const subcommands = registered?.options?.map(({ name }) => name) ?? [];
  expect(subcommands).toContain("publish");
  expect(subcommands).not.toContain("publication");
});

it("the options of /board edit name no defaults, because omitted ones stay unchanged", () => {
  const edit = commands.flatMap(({ runnables }) => runnables).find(({ path }) => path === "board/edit");
  const said = Object.values(edit?.definition.options ?? {}).map(({ description }) => description);
  expect(said.length).toBeGreaterThan(10);
  expect(said.filter((description) => description.includes("by default"))).toEqual([]);
});

it("no button, menu or form of a command with a private “thinking…” shows a public one", () => {
  const handlers = commands
    .flatMap(commandFilesOf)
    .filter(({ definition }) => definition.defer === "private")
    .flatMap(({ path, definition: { buttons, selects, modals } }) =>
      Object.entries({ ...buttons, ...selects, ...modals }).map(([action, { answers }]) => ({
        target: `${path}:${action}`,
        answers,
      })),
    );
  expect(handlers.length).toBeGreaterThan(20);
  expect(handlers.filter(({ answers }) => answers === "public")).toEqual([]);
});
