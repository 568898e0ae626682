// Takes a text to the clipboard, and says so.
import { tell } from "./toast.ts";

export function copyText(text: string): void {
  navigator.clipboard.writeText(text).then(
    () => tell("Copied."),
    () => tell("Your browser doesn't let this page copy.", "alarm"),
  );
}
