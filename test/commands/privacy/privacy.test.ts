import { expect, it } from "vitest";
import erase from "../../../commands/privacy/erase.ts";
import exporting from "../../../commands/privacy/export.ts";
import lists from "../../../commands/privacy/lists.ts";
import type { ActionButton, Reply } from "../../../src/core/reply.ts";

function world(kept: Readonly<Record<string, readonly unknown[]>> = {}) {
  const erased: string[] = [];
  const wishes: (readonly [string, boolean])[] = [];
  const context = {
    caller: { id: "7", roles: [] },
    usableCommands: async () => new Set<string>(),
    fileLimitBytes: 10_485_760,
    where: { guildId: "1", channelId: "2" },
    progress: () => {},
    services: {
      privacy: {
        export: async (userId: string) => ({ userId, exportedAt: "2026-11-21T17:20:00.000Z", kept }),
        erase: async (userId: string) => void erased.push(userId),
        rememberChoices: async (userId: string, isOn: boolean) => void wishes.push([userId, isOn]),
      },
    },
    options: {},
  };
  return { erased, wishes, context };
}

const message = { id: "1", channelId: "2", content: "", attachments: [], media: [] };
const textOf = (reply: unknown) => JSON.stringify(reply);

it("/privacy export sends a file with everything, and says if that is nothing", async () => {
  const reply = (await exporting.run(world().context)) as Reply; // the command has no modal
  expect(reply.visibility).toBe("private");
  expect(textOf(reply.blocks)).toMatch(/I keep nothing about you/);
  const file = JSON.parse(new TextDecoder().decode(reply.files?.[0]?.bytes)) as unknown; // only compared
  expect(file).toEqual({ userId: "7", exportedAt: "2026-11-21T17:20:00.000Z", kept: {} });
});

it("/privacy export counts the entries", async () => {
  const reply = await exporting.run(world({ boards: [{ id: 1 }, { id: 2 }] }).context);
  expect(textOf(reply)).toMatch(/2 entries/);
});

it("/privacy export mentions the note that an erasure leaves, and does not offer to erase", async () => {
  const reply = await exporting.run(world({ erasures: [{ userId: "7", atMs: 5 }] }).context);
  expect(textOf(reply)).toMatch(/I keep nothing about you, except a note of your id/);
  expect(textOf(reply)).not.toMatch(/use `\/privacy erase`/);
});

it("/privacy erase asks for confirmation with a danger button", async () => {
  const { erased, context } = world();
  const reply = (await erase.run(context)) as Reply; // the command has no modal
  expect(reply.visibility).toBe("private");
  const buttons = reply.blocks.flatMap((block) => (block.type === "buttons" ? block.buttons : []));
  expect((buttons as ActionButton[]).map(({ style, target }) => [style, target.action])).toEqual([
    ["danger", "confirm"],
    [undefined, "cancel"],
  ]);
  expect(erased).toEqual([]);
});

it("/privacy erase erases only after the danger button is pressed", async () => {
  const { erased, context } = world();
  const kept = await erase.buttons?.cancel.run({ ...context, args: {}, message });
  expect(erased).toEqual([]);
  expect(textOf(kept)).toMatch(/Nothing was erased/);
  const done = await erase.buttons?.confirm.run({ ...context, args: {}, message });
  expect(erased).toEqual(["7"]);
  expect(textOf(done)).toMatch(/if you don't want that, use `\/privacy lists` with `remember: False`/);
  expect(textOf(done)).not.toMatch(/buttons/);
});

it("/privacy lists turns remembering choices off and on, and says what that means", async () => {
  const { wishes, context } = world();
  const off = await lists.run({ ...context, options: { remember: false } });
  expect(textOf(off)).toMatch(/won't remember new ones/);
  const on = await lists.run({ ...context, options: { remember: true } });
  expect(textOf(on)).toMatch(/To stop that, use `\/privacy lists` with `remember: False`/);
  expect(wishes).toEqual([
    ["7", false],
    ["7", true],
  ]);
});
