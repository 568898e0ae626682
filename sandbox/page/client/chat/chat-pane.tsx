// The chat: its head, the messages, the box. Files can be dropped on it, or pasted into it.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { Composer } from "../composer/composer.tsx";
import { addFiles } from "../composer/files.ts";
import { ChannelHead } from "./channel-head.tsx";
import { Transcript } from "./transcript.tsx";

const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes("Files") === true;

export function ChatPane() {
  const [isOver, setOver] = useState(false);
  const over = (event: JSX.TargetedDragEvent<HTMLElement>) => {
    if (hasFiles(event)) {
      event.preventDefault();
      setOver(true);
    }
  };
  return (
    <main
      class="chat"
      onDragEnter={over}
      onDragOver={over}
      onDragLeave={(event) => {
        const isStillInside =
          event.relatedTarget instanceof Node && event.currentTarget.contains(event.relatedTarget);
        setOver(isStillInside);
      }}
      onDrop={(event) => {
        if (hasFiles(event)) {
          event.preventDefault();
          setOver(false);
          addFiles([...(event.dataTransfer?.files ?? [])]);
        }
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
      {isOver && (
        <div class="drop-sign" aria-hidden="true">
          Drop to attach
        </div>
      )}
    </main>
  );
}
