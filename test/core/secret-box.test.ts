import { randomBytes } from "node:crypto";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createSecretBox } from "../../src/core/secret-box.ts";

const box = createSecretBox(randomBytes(32));
const text = fc.string({ unit: "grapheme", maxLength: 300 });

describe("a secret box", () => {
  test("opens what it sealed, even after a restart, and the sealed text does not contain the secret", () => {
    const key = fc.uint8Array({ minLength: 32, maxLength: 32 });
    fc.assert(
      fc.property(key, text, text, (bytes, secret, context) => {
        const sealed = createSecretBox(bytes).seal(secret, context);
        expect(sealed).toMatch(/^[\w-]+$/);
        expect(createSecretBox(bytes).open(sealed, context)).toBe(secret);
        expect(secret.length > 7 && sealed.includes(secret)).toBe(false);
      }),
    );
  });

  test("seals the same text differently each time", () => {
    const sealed = Array.from({ length: 100 }, () => box.seal("a-page-token", "1"));
    expect(new Set(sealed).size).toBe(100);
  });

  test("does not open for another server or under another key", () => {
    const other = createSecretBox(randomBytes(32));
    fc.assert(
      fc.property(text, text, text, (secret, context, otherContext) => {
        fc.pre(context !== otherContext);
        const sealed = box.seal(secret, context);
        expect(box.open(sealed, otherContext)).toBeUndefined();
        expect(other.open(sealed, context)).toBeUndefined();
      }),
    );
  });

  test("does not open a sealed text that was changed, cut or lengthened", () => {
    const character = fc.constantFrom(...Array.from("ABCXYZabcxyz0189-_+/=. "));
    fc.assert(
      fc.property(text, fc.nat(), character, (secret, place, put) => {
        const sealed = box.seal(secret, "1");
        const at = place % sealed.length;
        fc.pre(sealed[at] !== put);
        expect(box.open(sealed.slice(0, at) + put + sealed.slice(at + 1), "1")).toBeUndefined();
        expect(box.open(sealed.slice(0, at), "1")).toBeUndefined();
        expect(box.open(sealed + put, "1")).toBeUndefined();
      }),
    );
  });

  test("does not open a text that it never sealed", () => {
    const bytes = fc.uint8Array({ maxLength: 100 }).map((each) => Buffer.from(each).toString("base64url"));
    fc.assert(
      fc.property(fc.oneof(text, bytes), (anything) => {
        expect(box.open(anything, "1")).toBeUndefined();
      }),
    );
  });
});
