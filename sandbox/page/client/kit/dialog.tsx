// A window in the middle. The browser keeps the rest of the page out of reach, and gives the focus back at the end.
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

interface DialogProps {
  readonly label: string;
  readonly class: string;
  /** `any`: a press beside it closes it as well as Escape. */
  readonly closedBy?: "any" | "closerequest";
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

export function Dialog({ label, class: name, closedBy = "closerequest", onClose, children }: DialogProps) {
  const node = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const dialog = node.current;
    dialog?.showModal();
    return () => {
      dialog?.close();
      moveCaretToFocus();
    };
  }, []);
  return (
    <dialog
      ref={node}
      class={`dialog ${name}`}
      aria-label={label}
      closedby={closedBy}
      onClose={({ currentTarget }) => {
        // The event of one that is gone already must not close the next.
        if (currentTarget.isConnected) {
          onClose();
        }
      }}
    >
      {children}
    </dialog>
  );
}

/** Chromium gives a text field the focus back, but may leave the caret elsewhere, so typing would do nothing. */
function moveCaretToFocus(): void {
  const focused = document.activeElement;
  if (focused instanceof HTMLTextAreaElement || focused instanceof HTMLInputElement) {
    focused.blur();
    focused.focus({ preventScroll: true });
  }
}
