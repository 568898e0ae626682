// A window in the middle that holds the focus until it is closed. The browser keeps the rest of the page out of reach.
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { useFocusReturn } from "./focus.ts";

interface DialogProps {
  readonly label: string;
  readonly class?: string;
  /** Escape, or a press beside it where `closesOutside` says so. */
  readonly onClose: () => void;
  readonly closesOutside?: boolean;
  readonly children: ComponentChildren;
}

export function Dialog({ label, class: name = "", onClose, closesOutside = false, children }: DialogProps) {
  const node = useRef<HTMLDialogElement>(null);
  useFocusReturn();
  useLayoutEffect(() => {
    const dialog = node.current;
    dialog?.showModal();
    return () => dialog?.close();
  }, []);
  return (
    <dialog
      ref={node}
      class={`dialog ${name}`}
      aria-label={label}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        if (closesOutside && event.target === node.current) {
          onClose();
        }
      }}
    >
      {children}
    </dialog>
  );
}
