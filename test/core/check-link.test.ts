import { describe, expect, it } from "vitest";
import { UserError } from "../../src/core/errors.ts";
import { checkLink, linkEndsAt } from "../../src/core/attachments.ts";

const HOSTS = ["cdn.example.org", "127.0.0.1:4000"];

describe("a link to an attachment", () => {
  it.each(["https://cdn.example.org/a/b.mp4?ex=1", "http://127.0.0.1:4000/a"])("is accepted: %s", (url) => {
    expect(checkLink(url, HOSTS).href).toBe(url);
  });

  it.each([
    "http://cdn.example.org/a",
    "https://cdn.example.org:8443/a",
    "https://cdn.example.org.evil.example/a",
    "https://user@cdn.example.org/a",
    "https://127.0.0.1/a",
    "file:///etc/passwd",
    "no link",
  ])("is refused: %s", (url) => {
    expect(() => checkLink(url, HOSTS)).toThrow(UserError);
  });

  it("expires at the time in its ex parameter, or after 23 hours without one", () => {
    const nowMs = Date.parse("2026-11-18T17:20:00Z");
    const end = (query: string): number => linkEndsAt(new URL(`https://cdn.example.org/a${query}`), nowMs);
    expect(end("?ex=6a1b2c3d&is=1")).toBe(0x6a1b2c3d * 1000);
    expect(end("")).toBe(nowMs + 23 * 3_600_000);
    expect(end("?ex=soon")).toBe(nowMs + 23 * 3_600_000);
  });
});
