import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatModal } from "../../src/discord/reply.ts";
import { openapiChecker } from "../support/openapi-checker.ts";
import { randomModal } from "./random-reply.ts";
import { cases } from "../support/cases.ts";

describe("a form", () => {
  it("has labelled fields and a title cut to the limit", () => {
    const form = formatModal({
      type: "modal",
      target: { command: "video", action: "publish", args: { m: "1" } },
      title: "Publish this video for everyone to see, right now",
      fields: [{ type: "text", name: "title", label: "Title", lines: "one", maxLength: 100 }],
    });
    expect(form.custom_id).toBe("video:publish:1:m=1");
    expect(form.title).toHaveLength(45);
    expect(form.components).toEqual([
      {
        type: 18,
        label: "Title",
        component: { type: 4, custom_id: "title", style: 1, max_length: 100, required: true },
      },
    ]);
  });

  it("requires no value for an optional choice", () => {
    const form = formatModal({
      type: "modal",
      target: { command: "video", action: "publish", args: {} },
      title: "Publish",
      fields: [
        {
          type: "choice",
          name: "who",
          label: "Who",
          required: false,
          choices: [{ label: "All", value: "all" }],
        },
      ],
    });
    expect(form.components[0]).toMatchObject({ component: { required: false, min_values: 0 } });
  });

  it("offers no choice twice, and preselects no more than may be chosen", () => {
    const choices = ["a", "a", "b"].map((value) => ({ label: value, value, chosen: true }));
    const form = formatModal({
      type: "modal",
      target: { command: "video", action: "publish", args: {} },
      title: "Publish",
      fields: [{ type: "choice", name: "who", label: "Who", choices }],
    });
    expect(form.components[0]).toMatchObject({
      component: {
        options: [{ value: "a", default: true }, { value: "b" }],
        max_values: 1,
      },
    });
    expect(JSON.stringify(form).match(/"default"/g)).toHaveLength(1);
  });

  it("conforms to Discord's schema with any content", () => {
    const checker = openapiChecker();
    fc.assert(
      fc.property(randomModal, (modal) => {
        const body = { type: 9, data: formatModal(modal) };
        expect(checker.findings({ method: "POST", path: "/interactions/1/token/callback", body })).toEqual(
          [],
        );
        expect(body.data.components.length).toBeLessThanOrEqual(5);
      }),
      { numRuns: cases(100) },
    );
  });
});
