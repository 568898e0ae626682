// Files dropped on, or pasted into, the chat.
import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";
import { addFiles } from "./files.ts";

const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes("Files") === true;

export function DropZone({ children }: { readonly children: ComponentChildren }) {
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
      {children}
      {isOver && (
        <div class="drop-sign" aria-hidden="true">
          Drop to attach
        </div>
      )}
    </main>
  );
}
