import type { RestyleProgress } from "../services/restyle/restyle.ts";

/** How far a picture is, in words for whoever waits for it. */
export function restyleProgressText(state: RestyleProgress): string {
  switch (state.stage) {
    case "waiting":
      return state.position === 1
        ? "Your picture is next in line."
        : `Your picture is number ${state.position} in line.`;
    case "preparing":
      return "Getting your picture ready…";
    case "restyling": {
      const { part, parts, share, position } = state;
      const what =
        parts === 1
          ? "The picture service is at work"
          : `The picture service is at work on style ${part} of ${parts}`;
      const line = position === undefined || position < 1 ? "" : `, with ${position} before yours`;
      return share === undefined ? `${what}${line}…` : `${what}${line}: ${Math.floor(share * 100)} %`;
    }
  }
}
