// Generates replies and forms beyond what any view makes, to test that formatting respects Discord's limits.
import * as fc from "fast-check";
import type { ComponentTarget } from "../../src/core/component-id.ts";
import type { Block, ContentBlock, Modal, Reply } from "../../src/core/reply.ts";

const text = fc.oneof(
  { weight: 4, arbitrary: fc.string({ maxLength: 40 }) },
  {
    weight: 1,
    arbitrary: fc.integer({ min: 1, max: 6_000 }).map((length) => "trains 🚆 ".repeat(length / 10)),
  },
  { weight: 1, arbitrary: fc.constantFrom("", " ", "\n", "```\nboard", "\ud83d") },
);
const fileName = fc.constantFrom("board.png", "plot.png", "Übersicht 1.png", "a b.csv", "gone.png", "");

const target: fc.Arbitrary<ComponentTarget> = fc.record({
  command: fc.constantFrom("departures", "board/subscribe"),
  action: fc.constantFrom("refresh", "later"),
  args: fc.dictionary(fc.constantFrom("s", "n", "q"), fc.string({ maxLength: 60 })),
});

const button = fc.oneof(
  fc.record(
    {
      type: fc.constant("button" as const),
      label: text,
      target,
      emoji: fc.constantFrom("🔁", "", "x".repeat(40)),
      style: fc.constantFrom("primary", "secondary", "success", "danger"),
      disabled: fc.boolean(),
    },
    { requiredKeys: ["type", "label", "target"] },
  ),
  fc.record({
    type: fc.constant("link" as const),
    label: text,
    url: fc.constantFrom(
      "https://example.org/",
      "ftp://example.org",
      "nonsense",
      `https://e.org/${"x".repeat(600)}`,
    ),
  }),
);

const choice = fc.record(
  { label: text, value: text, description: text, chosen: fc.boolean() },
  { requiredKeys: ["label", "value"] },
);

const content: fc.Arbitrary<ContentBlock> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ type: fc.constant("text" as const), text }) },
  fc.record({
    type: fc.constant("section" as const),
    texts: fc.array(text, { maxLength: 5 }),
    accessory: fc.oneof(
      button,
      fc.record({ type: fc.constant("thumbnail" as const), file: fileName, description: text }),
    ),
  }),
  fc.record({
    type: fc.constant("gallery" as const),
    items: fc.array(fc.record({ file: fileName, spoiler: fc.boolean() }), { maxLength: 14 }),
  }),
  fc.record({ type: fc.constant("file" as const), file: fileName }),
  fc.record({ type: fc.constant("separator" as const) }),
  fc.record({ type: fc.constant("buttons" as const), buttons: fc.array(button, { maxLength: 12 }) }),
  fc.record(
    {
      type: fc.constant("select" as const),
      target,
      placeholder: text,
      choices: fc.array(choice, { maxLength: 30 }),
      max: fc.integer({ min: -2, max: 30 }),
    },
    { requiredKeys: ["type", "target", "placeholder", "choices"] },
  ),
);

const block: fc.Arbitrary<Block> = fc.oneof(
  content,
  fc.record(
    {
      type: fc.constant("container" as const),
      accent: fc.integer({ min: -5, max: 0x1ffffff }),
      blocks: fc.array(content, { maxLength: 15 }),
    },
    { requiredKeys: ["type", "blocks"] },
  ),
);

const file = fc.record({
  name: fileName,
  bytes: fc.integer({ min: 0, max: 3_000 }).map((length) => new Uint8Array(length)),
  description: text,
});

/** Generates any reply. */
export const randomReply: fc.Arbitrary<Reply> = fc.record(
  {
    blocks: fc.array(block, { maxLength: 20 }),
    files: fc.array(file, { maxLength: 14 }),
    visibility: fc.constantFrom("public" as const, "private" as const),
  },
  { requiredKeys: ["blocks"] },
);

const fieldBase = {
  name: fc.string({ minLength: 1, maxLength: 20 }),
  label: text,
  description: text,
  required: fc.boolean(),
};

/** Generates any form whose target fits in a custom id. */
export const randomModal: fc.Arbitrary<Modal> = fc.record({
  type: fc.constant("modal" as const),
  target: fc.constant({ command: "departures", action: "filter", args: {} }),
  title: text,
  fields: fc.uniqueArray(
    fc.oneof(
      fc.record({
        ...fieldBase,
        type: fc.constant("text" as const),
        lines: fc.constantFrom("one" as const, "many" as const),
        value: text,
        placeholder: text,
        minLength: fc.integer({ min: -1, max: 5_000 }),
        maxLength: fc.integer({ min: -1, max: 5_000 }),
      }),
      fc.record({
        ...fieldBase,
        type: fc.constant("choice" as const),
        choices: fc
          .uniqueArray(choice, { maxLength: 30, selector: ({ value }) => value })
          .map((choices) => [{ label: "All", value: "all" }, ...choices]),
        max: fc.integer({ min: -1, max: 40 }),
      }),
      fc.record({ ...fieldBase, type: fc.constant("upload" as const) }),
    ),
    { minLength: 1, maxLength: 8, selector: ({ name }) => name },
  ),
});
