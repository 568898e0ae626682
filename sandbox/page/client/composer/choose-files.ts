// The browser's own chooser of files.

interface Wanted {
  readonly isMultiple: boolean;
  /** Dotted ends of names, or none for all. */
  readonly extensions?: readonly string[];
}

/** Settles with what was chosen, with nothing when the chooser was closed. */
export function chooseFiles({ isMultiple, extensions = [] }: Wanted): Promise<File[]> {
  return new Promise((resolve) => {
    const input = document.createElement("input");
    input.type = "file";
    input.multiple = isMultiple;
    input.accept = extensions.join(",");
    input.addEventListener("change", () => resolve([...(input.files ?? [])]));
    input.addEventListener("cancel", () => resolve([]));
    input.click();
  });
}
