import { describe, expect, it } from "vitest";
import { openapiChecker } from "./openapi-checker.ts";

describe("the check against Discord's OpenAPI document", () => {
  const text = { type: 10, content: "The 17:31 to Leeds" };

  it("finds nothing wrong with a components V2 message", () => {
    const body = {
      flags: 1 << 15,
      components: [{ type: 17, components: [text] }],
      allowed_mentions: { parse: [] },
    };
    expect(openapiChecker().findings({ method: "POST", path: "/channels/123/messages", body })).toEqual([]);
  });

  it("reports the path of an unknown component", () => {
    const body = { components: [{ type: 17, components: [{ type: 99 }] }] };
    const findings = openapiChecker().findings({ method: "POST", path: "/channels/123/messages", body });
    expect(findings.join("\n")).toContain("/components/0");
  });

  it("refuses a callback of an unknown type", () => {
    const findings = openapiChecker().findings({
      method: "POST",
      path: "/interactions/1/token/callback",
      body: { type: 77 },
    });
    expect(findings).not.toEqual([]);
  });

  it("accepts @original as a message id, even if it is percent-encoded", () => {
    const findings = openapiChecker().findings({
      method: "PATCH",
      path: "/webhooks/1/token/messages/%40original",
      body: { components: [text], flags: 1 << 15 },
    });
    expect(findings).toEqual([]);
  });

  it("does not accept a route that Discord does not have", () => {
    const findings = openapiChecker().findings({ method: "POST", path: "/trains", body: {} });
    expect(findings).toEqual(["POST /trains: not a route of Discord's"]);
  });
});
