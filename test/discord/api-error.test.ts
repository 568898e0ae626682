import { DiscordAPIError } from "discord.js";
import { describe, expect, it } from "vitest";
import { isFileRefusal } from "../../src/discord/interaction-api.ts";

function refusal(code: number): DiscordAPIError {
  return new DiscordAPIError({ code, message: "No" }, code, 400, "POST", "/", {
    files: undefined,
    body: undefined,
  });
}

describe("a refusal of files", () => {
  it("is recognised by its code", () => {
    expect([40_005, 400_001, 50_035].map((code) => isFileRefusal(refusal(code)))).toEqual([
      true,
      true,
      false,
    ]);
  });
});
