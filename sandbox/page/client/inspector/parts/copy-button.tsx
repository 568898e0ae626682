// Takes a text to the clipboard.
import { IconButton } from "../../kit/icon-button.tsx";
import { copyText } from "../../state/copy-text.ts";

export function CopyButton({ label, text }: { readonly label: string; readonly text: string }) {
  return <IconButton icon="copy" label={label} onClick={() => copyText(text)} />;
}
