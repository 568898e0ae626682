// The choice between picture and text, for boards, timetables, journeys and buses.
import { oneOf, withDefault, type ComponentTarget } from "../core/component-id.ts";
import { type ActionButton, buttonTo } from "../core/reply.ts";

export type ViewFormat = "picture" | "text";

export const viewFormatArg = withDefault(oneOf({ text: "t" }), "picture");

export const viewFormatOption = {
  type: "string",
  description: "Show as a picture or as text (default: picture)",
  choices: [
    { name: "Picture", value: "picture" },
    { name: "Text", value: "text" },
  ],
} as const;

export function viewFormatButton(
  format: ViewFormat,
  targetOf: (format: ViewFormat) => ComponentTarget,
): ActionButton {
  return format === "picture" ? buttonTo("Text", targetOf("text")) : buttonTo("Picture", targetOf("picture"));
}
