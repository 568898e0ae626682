import { describe, expect, it } from "vitest";
import { formatInviteUrl } from "../../src/discord/invitation.ts";

describe("the invite link", () => {
  it("asks for commands and the permissions that answers and boards need, and none to moderate", () => {
    const url = new URL(formatInviteUrl("900"));
    expect(url.origin + url.pathname).toBe("https://discord.com/oauth2/authorize");
    expect(url.searchParams.get("client_id")).toBe("900");
    expect(url.searchParams.get("scope")).toBe("bot applications.commands");
    const permissions = BigInt(url.searchParams.get("permissions") ?? "0");
    const bits = { viewChannel: 10n, sendMessages: 11n, attachFiles: 15n };
    for (const bit of Object.values(bits)) {
      expect(permissions & (1n << bit)).not.toBe(0n);
    }
    const administrator = 1n << 3n;
    const manageMessages = 1n << 13n;
    expect(permissions & (administrator | manageMessages)).toBe(0n);
  });
});
