// The files of the message being written, with a look at them.
import { useEffect, useMemo } from "preact/hooks";
import { Icon } from "../kit/icon.tsx";
import { IconButton } from "../kit/icon-button.tsx";
import { formatSize } from "../text/size.ts";
import { draft, files } from "./draft-state.ts";
import { removeFile } from "./files.ts";

export function FileTray() {
  const inCommand = (draft.value?.values ?? []).flatMap(({ file }) => file ?? []);
  const all = draft.value === undefined ? files.value : inCommand;
  return all.length === 0 ? null : (
    <ul class="tray row" aria-label="Files to send">
      {all.map((file) => (
        <li key={`${file.name} ${file.lastModified} ${file.size}`} class="card">
          <FilePreview file={file} />
          <p class="clip">{file.name}</p>
          <span class="subtext">{formatSize(file.size)}</span>
          {draft.value === undefined && (
            <IconButton icon="trash" label={`Remove ${file.name}`} onClick={() => removeFile(file)} />
          )}
        </li>
      ))}
    </ul>
  );
}

/** A picture or film of the file itself; of others only a sign. */
function FilePreview({ file }: { readonly file: File }) {
  const isPicture = file.type.startsWith("image/");
  const isFilm = file.type.startsWith("video/");
  const url = useMemo(() => (isPicture || isFilm ? URL.createObjectURL(file) : undefined), [file]);
  useEffect(() => () => (url === undefined ? undefined : URL.revokeObjectURL(url)), [url]);
  if (url === undefined) {
    return <Icon name={file.type.startsWith("audio/") ? "sound" : "file"} class="tray-picture" />;
  }
  return isPicture ? (
    <img class="tray-picture" src={url} alt="" />
  ) : (
    <video class="tray-picture" src={url} muted preload="metadata" />
  );
}
