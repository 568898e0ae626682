// A modal dialog. The browser makes the rest of the page inert, and returns the focus when the dialog closes.
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

interface DialogProps {
  readonly label: string;
  readonly class: string;
  /** With `any`, a press outside closes the dialog, as Escape always does. */
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
        // The late `close` event of a removed dialog must not close the next one.
        if (currentTarget.isConnected) {
          onClose();
        }
      }}
    >
      {children}
    </dialog>
  );
}

/** Chromium returns the focus to a text field, but may leave the caret elsewhere, so that typing would do nothing. */
function moveCaretToFocus(): void {
  const focused = document.activeElement;
  if (focused instanceof HTMLTextAreaElement || focused instanceof HTMLInputElement) {
    focused.blur();
    focused.focus({ preventScroll: true });
  }
}
