// The chat: its head, the messages, the box. Files can be dropped on it, or pasted into it.
import { Composer } from "../composer/composer.tsx";
import { addFiles } from "../composer/files.ts";
import { ChannelHead } from "./channel-head.tsx";
import { Transcript } from "./transcript.tsx";

/** The browser leaves files to the page that takes their event. */
function over(event: DragEvent): void {
  if (event.dataTransfer?.types.includes("Files") === true) {
    event.preventDefault();
  }
}

export function ChatPane() {
  return (
    <main
      class="chat"
      onDragEnter={over}
      onDragOver={over}
      onDrop={(event) => {
        over(event);
        addFiles([...(event.dataTransfer?.files ?? [])]);
      }}
      onPaste={(event) => {
        const pasted = [...(event.clipboardData?.files ?? [])];
        if (pasted.length > 0) {
          event.preventDefault();
          addFiles(pasted);
        }
      }}
    >
      <ChannelHead />
      <Transcript />
      <Composer />
    </main>
  );
}
