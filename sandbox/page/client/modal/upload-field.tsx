// Files in a form: chosen, dropped or pasted on it.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { extensionsOf } from "../../../discord/file-extensions.ts";
import { chooseFiles } from "../composer/choose-files.ts";
import { FilePreview } from "../composer/file-tray.tsx";
import { Icon } from "../kit/icon.tsx";
import { IconButton } from "../kit/icon-button.tsx";
import { formatSize } from "../text/size.ts";
import type { FieldProps } from "./field-view.tsx";
import { boundsOf } from "./form-fields.ts";

export function UploadField({ field: { field }, value, problem, id, describedBy, onChange }: FieldProps) {
  const [isOver, setOver] = useState(false);
  const files = typeof value === "string" ? [] : value.filter((one) => typeof one !== "string");
  const { most } = boundsOf(field);
  const extensions = extensionsOf(field["file_types"]);
  const add = (added: readonly File[]) => {
    if (added.length > 0) {
      onChange(most === 1 ? added.slice(0, 1) : [...files, ...added]);
    }
  };
  const drop = (event: JSX.TargetedDragEvent<HTMLElement>) => {
    event.preventDefault();
    event.stopPropagation();
    setOver(false);
    add([...(event.dataTransfer?.files ?? [])]);
  };
  return (
    <div
      class={`upload ${isOver ? "over" : ""}`}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      onPaste={(event) => add([...(event.clipboardData?.files ?? [])])}
    >
      {files.length < most && (
        <button
          id={id}
          type="button"
          class="upload-button"
          // What it is for, and what it says.
          aria-labelledby={`${id}-label ${id}`}
          aria-invalid={problem !== undefined}
          aria-describedby={describedBy}
          onClick={() => void chooseFiles({ isMultiple: most > 1, extensions }).then(add)}
        >
          <Icon name="download" />
          <span>
            <strong>Choose {most === 1 ? "a file" : `up to ${most} files`}</strong>, or drop{" "}
            {most === 1 ? "it" : "them"} here
          </span>
          {extensions.length > 0 && <span class="field-about soft">{extensions.join(", ")}</span>}
        </button>
      )}
      <ul class="upload-files">
        {files.map((file) => (
          <li key={`${file.name} ${file.size}`}>
            <FilePreview file={file} />
            <span class="tray-name clip">{file.name}</span>
            <span class="tray-size soft">{formatSize(file.size)}</span>
            <IconButton
              icon="trash"
              label={`Remove ${file.name}`}
              onClick={() => onChange(files.filter((one) => one !== file))}
            />
          </li>
        ))}
      </ul>
    </div>
  );
}
