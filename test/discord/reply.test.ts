import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { textReply, type Reply } from "../../src/core/reply.ts";
import { formatReply, type OutgoingMessage } from "../../src/discord/reply.ts";
import { openapiChecker } from "../support/openapi-checker.ts";
import { randomReply } from "./random-reply.ts";
import { cases } from "../support/cases.ts";

const LIMIT_BYTES = 10 * 1024 * 1024;

interface Part {
  readonly type: number;
  readonly content?: string;
  readonly custom_id?: string;
  readonly label?: string;
  readonly components?: readonly Part[];
  readonly accessory?: Part;
  readonly items?: readonly { readonly media: { readonly url: string } }[];
  readonly file?: { readonly url: string };
  readonly media?: { readonly url: string };
  readonly options?: readonly { readonly value: string; readonly default?: boolean }[];
  readonly min_values?: number;
  readonly max_values?: number;
}

/** All components of a message, nested ones too. */
function partsOf({ body }: OutgoingMessage): readonly Part[] {
  // The bot made this plain JSON, and the test reads it as Discord does.
  const walk = (part: Part): readonly Part[] => [
    part,
    ...(part.components ?? []).flatMap(walk),
    ...(part.accessory ? walk(part.accessory) : []),
  ];
  return (body.components as readonly unknown[] as readonly Part[]).flatMap(walk);
}

function filesNamedIn(parts: readonly Part[]): readonly string[] {
  return parts
    .flatMap((part) => [part.file, part.media, ...(part.items ?? []).map(({ media }) => media)])
    .flatMap((media) => (media ? [media.url.replace("attachment://", "")] : []));
}

function breachesOf(message: OutgoingMessage): readonly string[] {
  const parts = partsOf(message);
  const texts = parts.flatMap(({ type, content }) => (type === 10 ? [content ?? ""] : []));
  const ids = parts.flatMap(({ custom_id }) => custom_id ?? []);
  const names = message.body.attachments.map(({ filename }) => filename);
  const rules: Readonly<Record<string, boolean>> = {
    "something to show": parts.length > 0,
    "40 components": parts.length <= 40,
    "4,000 characters": texts.reduce((sum, text) => sum + text.length, 0) <= 4_000,
    "no empty text": texts.every((text) => text.trim() !== ""),
    "well formed": texts.every((text) => text.isWellFormed()),
    "ids of 1 to 100": ids.every((id) => id.length >= 1 && id.length <= 100),
    "unique ids": new Set(ids).size === ids.length,
    "rows of 1 to 5": parts.every(({ type, components }) => type !== 1 || within(components?.length, 1, 5)),
    "containers not empty": parts.every(
      ({ type, components }) => type !== 17 || within(components?.length, 1, 40),
    ),
    "sections of 1 to 3": parts.every(
      ({ type, components }) => type !== 9 || within(components?.length, 1, 3),
    ),
    "galleries of 1 to 10": parts.every(({ type, items }) => type !== 12 || within(items?.length, 1, 10)),
    "selects that can be answered": parts.every(isGoodSelect),
    "labels of 80": parts.every(({ label }) => (label ?? "").length <= 80),
    "10 files": names.length <= 10 && new Set(names).size === names.length,
    "every file named is there": filesNamedIn(parts).every((name) => names.includes(name)),
    "every file there is named": names.every((name) => filesNamedIn(parts).includes(name)),
    "files and their names agree": message.files.map(({ name }) => name).join() === names.join(),
    "no pings": JSON.stringify(message.body.allowed_mentions) === '{"parse":[]}',
  };
  return Object.entries(rules).flatMap(([rule, holds]) => (holds ? [] : [rule]));
}

function isGoodSelect({ type, options = [], min_values: min = 1, max_values: max = 1 }: Part): boolean {
  const values = options.map(({ value }) => value);
  return (
    type !== 3 ||
    (within(values.length, 1, 25) &&
      new Set(values).size === values.length &&
      min >= 0 &&
      min <= max &&
      max <= values.length &&
      options.filter((option) => option.default).length <= max)
  );
}

function within(value: number | undefined, least: number, most: number): boolean {
  return value !== undefined && value >= least && value <= most;
}

describe("any reply", () => {
  it("respects Discord's limits, including those that its schema does not contain", () => {
    fc.assert(
      fc.property(randomReply, fc.constantFrom(0, 1_000, LIMIT_BYTES), (reply, limitBytes) => {
        expect(breachesOf(formatReply(reply, limitBytes))).toEqual([]);
      }),
      { numRuns: cases(400) },
    );
  });

  it("conforms to Discord's own schema", () => {
    const checker = openapiChecker();
    fc.assert(
      fc.property(randomReply, (reply) => {
        const { body } = formatReply(reply, LIMIT_BYTES);
        const callback = {
          method: "POST",
          path: "/interactions/1/token/callback",
          body: { type: 4, data: body },
        };
        const edit = { method: "PATCH", path: "/webhooks/1/token/messages/@original", body };
        expect([...checker.findings(callback), ...checker.findings(edit)]).toEqual([]);
      }),
      { numRuns: cases(100) },
    );
  });
});

describe("a reply", () => {
  const big: Reply = {
    blocks: [
      { type: "text", text: "The board" },
      { type: "gallery", items: [{ file: "board.png" }] },
    ],
    files: [{ name: "board.png", bytes: new Uint8Array(2_000), description: "Trains from York" }],
  };

  it("has its files with names and alt text", () => {
    const { body, files } = formatReply(big, 2_000);
    expect(body.attachments).toEqual([{ id: "0", filename: "board.png", description: "Trains from York" }]);
    expect(files).toHaveLength(1);
  });

  it("says that a file is too large, and omits the component that would show it", () => {
    const message = formatReply(big, 1_999);
    expect(message.files).toEqual([]);
    expect(partsOf(message).map(({ type }) => type)).toEqual([10, 10]);
    expect(partsOf(message)[1]?.content).toBe("-# A file is missing here: Discord didn't accept it.");
  });

  it("names the size limit if it is at least a megabyte", () => {
    const files = [{ name: "a.bin", bytes: new Uint8Array(LIMIT_BYTES + 1), description: "" }];
    const message = formatReply({ blocks: [{ type: "file", file: "a.bin" }], files }, LIMIT_BYTES);
    expect(partsOf(message)[0]?.content).toMatch(/larger than the \d+ MB allowed here/);
  });

  it("does not call an eleventh file too large", () => {
    const files = Array.from({ length: 11 }, (_, index) => ({
      name: `${index}.txt`,
      bytes: new Uint8Array(1),
      description: "",
    }));
    const blocks = files.map(({ name }) => ({ type: "file" as const, file: name }));
    const message = formatReply({ blocks, files }, LIMIT_BYTES);
    expect(message.files).toHaveLength(10);
    expect(partsOf(message).at(-1)?.content).toBe("-# Not everything fitted in one message.");
  });

  it("has an empty list of attachments without files, so that an edit removes the old ones", () => {
    expect(formatReply(textReply("No trains"), LIMIT_BYTES).body.attachments).toEqual([]);
  });

  it("keeps a heading and a footer if the text between them is long", () => {
    const blocks = ["Heading", "trains ".repeat(2_000), "Footer"].map((text) => ({
      type: "text" as const,
      text,
    }));
    const texts = partsOf(formatReply({ blocks }, LIMIT_BYTES)).map(({ content }) => content ?? "");
    expect(texts[0]).toBe("Heading");
    expect(texts[1]?.endsWith("…")).toBe(true);
    expect(texts[2]).toBe("Footer");
    expect(texts.join("").length).toBeGreaterThan(3_900);
  });

  it("says that not everything fits", () => {
    const blocks = Array.from({ length: 60 }, (_, row) => ({ type: "text" as const, text: `Row ${row}` }));
    const texts = partsOf(formatReply({ blocks }, LIMIT_BYTES)).map(({ content }) => content);
    expect(texts).toHaveLength(40);
    expect(texts.at(-1)).toMatch(/Not everything/);
  });

  it("does not cut texts to make room for one that is omitted", () => {
    const text = "A row of a long list. ".repeat(4).trim();
    const blocks = Array.from({ length: 80 }, () => ({ type: "text" as const, text }));
    const texts = partsOf(formatReply({ blocks }, LIMIT_BYTES)).map(({ content }) => content);
    expect(texts.slice(0, -1)).toEqual(Array.from({ length: 39 }, () => text));
  });

  it("gives two buttons with the same target different ids", () => {
    const button = {
      type: "button" as const,
      label: "Refresh",
      target: { command: "departures", action: "refresh", args: { s: "YRK" } },
    };
    const ids = partsOf(
      formatReply({ blocks: [{ type: "buttons", buttons: [button, button] }] }, LIMIT_BYTES),
    ).flatMap(({ custom_id }) => custom_id ?? []);
    expect(ids).toHaveLength(2);
    expect(new Set(ids).size).toBe(2);
  });

  it("lists a component whose id is too long", () => {
    const target = { command: "departures", action: "refresh", args: { s: "x".repeat(100) } };
    const message = formatReply(
      { blocks: [{ type: "buttons", buttons: [{ type: "button", label: "Refresh", target }] }] },
      LIMIT_BYTES,
    );
    expect(message.refused.join()).toContain("departures:refresh");
  });

  it("has a text even if it is empty", () => {
    expect(partsOf(formatReply({ blocks: [] }, LIMIT_BYTES))).toHaveLength(1);
  });
});
