import { expect, it } from "vitest";
import { type Setup, setupView } from "../../src/operations/setup-view.ts";

it.each<[string, Setup, readonly RegExp[], readonly RegExp[]]>([
  [
    "nothing is done",
    { boards: 0, videos: { approvalChannelId: undefined } },
    [/▫️ \*\*A departure board/, /"First board"/, /▫️ \*\*Videos/, /"Video settings"/, /Integrations/],
    [/✅/],
  ],
  [
    "all is done",
    { boards: 2, videos: { approvalChannelId: "77" } },
    [/This server has 2;/, /"Another board"/, /✅ \*\*Videos.*<#77>/],
    [/▫️/],
  ],
  ["there is one board", { boards: 1, videos: undefined }, [/This server has one; .* shows it\./], [/Video/]],
  ["nothing is connected", { boards: undefined, videos: undefined }, [/Integrations/], [/oard/, /"button"/]],
])("the setup view shows the next steps if %s", (_, setup, present, absent) => {
  const shown = JSON.stringify(setupView(setup));
  for (const pattern of present) {
    expect(shown).toMatch(pattern);
  }
  for (const pattern of absent) {
    expect(shown).not.toMatch(pattern);
  }
});
