import { describe, expect, it } from "vitest";
import { explainBroken } from "../../../src/videos/accounts/broken-account.ts";

describe("a broken account", () => {
  it.each([
    ["token-dead", /must be linked again/],
    ["needs-confirmation", /they have to log in/],
    ["page-token-needed", /needs a Page's access token/],
    ["permission", /lacks a permission/],
    ["blocked", /barred from acting for some hours/],
    ["busy", /must be linked again/],
  ] as const)("that is %s has its own sentence", (brokenBecause, sentence) => {
    expect(explainBroken({ name: "Signal *Hall*", brokenBecause }).message).toMatch(sentence);
    expect(explainBroken({ name: "Signal *Hall*", brokenBecause }).message).toContain("Signal \\*Hall\\*");
    expect(explainBroken({ name: undefined, brokenBecause }).message).toMatch(/^This server's video account/);
  });
});
