// Files in a form: chosen, or dropped on it.
import { extensionsOf } from "../../../discord/file-extensions.ts";
import { chooseFiles } from "../composer/files.ts";
import { IconButton } from "../kit/icon-button.tsx";
import { formatSize } from "../text/size.ts";
import type { FieldProps } from "./field-view.tsx";
import { boundsOf } from "./form-fields.ts";

export function UploadField({ field: { field }, value, problem, id, describedBy, onChange }: FieldProps) {
  const files = typeof value === "string" ? [] : value.filter((one) => typeof one !== "string");
  const { most } = boundsOf(field);
  const extensions = extensionsOf(field["file_types"]);
  const add = (added: readonly File[]) => onChange([...files, ...added].slice(0, most));
  return (
    <>
      <button
        id={id}
        type="button"
        class="upload stack"
        // What it is for, and what it says.
        aria-labelledby={`${id}-label ${id}`}
        aria-invalid={problem !== undefined}
        aria-describedby={describedBy}
        onClick={() => void chooseFiles({ isMultiple: most > 1, extensions }).then(add)}
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => {
          event.preventDefault();
          add([...(event.dataTransfer?.files ?? [])]);
        }}
      >
        Choose {most === 1 ? "a file" : `up to ${most} files`}, or drop {most === 1 ? "it" : "them"} here
        {extensions.length > 0 && <span class="subtext">{extensions.join(", ")}</span>}
      </button>
      <ul>
        {files.map((file) => (
          <li key={`${file.name} ${file.size}`} class="row">
            <span class="clip">{file.name}</span>
            <span class="rest subtext">{formatSize(file.size)}</span>
            <IconButton
              icon="trash"
              label={`Remove ${file.name}`}
              onClick={() => onChange(files.filter((one) => one !== file))}
            />
          </li>
        ))}
      </ul>
    </>
  );
}
