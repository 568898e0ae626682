// The box at the bottom in which a message or a command is written.
import { openedChannel, openedGuild } from "../state/scene.ts";
import { CommandBox } from "./command-box.tsx";
import { draft, files, focusPlace, problem, replyTo, TEXT } from "./draft-state.ts";
import { MessageBox } from "./message-box.tsx";
import { IconButton } from "../kit/icon-button.tsx";
import { profileOf } from "../state/people.ts";
import { messages } from "../state/messages.ts";
import { useEffect, useMemo } from "preact/hooks";
import { Icon } from "../kit/icon.tsx";
import { formatSize } from "../text/size.ts";
import { removeFile } from "./files.ts";
import { signal } from "@preact/signals";
import { doneExamples, startExample, examples } from "../chat/examples.ts";
import { openInspector } from "../inspector/inspector-state.ts";
import { reportFailure } from "../state/toast.ts";

export function Composer() {
  const channel = openedChannel.value;
  if (channel === undefined) {
    return null;
  }
  return (
    <section class="composer" aria-label="Write">
      <ExampleStrip />
      <ReplyBar />
      <div class="composer-box card">
        <FileTray />
        {draft.value === undefined ? <MessageBox channel={channel} /> : <CommandBox draft={draft.value} />}
      </div>
      <p class="composer-problem alarm" id="composer-problem" role="alert">
        {problem}
      </p>
    </section>
  );
}

function ReplyBar() {
  const target = messages.value.find(({ id }) => id === replyTo.value);
  if (target === undefined) {
    return null;
  }
  const { name, tint } = profileOf(target.author.id, target.author.name);
  return (
    <div class="row subtext">
      <span class="rest">
        Replying to <strong class={`tinted ${tint}`}>{name}</strong>
      </span>
      <IconButton
        icon="close"
        label="Cancel reply"
        onClick={() => {
          replyTo.value = undefined;
          focusPlace(TEXT);
        }}
      />
    </div>
  );
}

function FileTray() {
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

const isDismissed = signal(false);

/** Suggests the examples again after the first one was tried, because the greeting has scrolled away by then. */
function ExampleStrip() {
  const done = doneExamples.value;
  const isHome = openedGuild.value?.channels[0]?.id === openedChannel.value?.id;
  if (!isHome || isDismissed.value || done.size === 0) {
    return null;
  }
  return (
    <div class="example-strip row" role="group" aria-label="What to try next">
      <span class="subtext">Next</span>
      {examples.value.map((one) => (
        <button
          key={one.command}
          type="button"
          class="card row"
          disabled={done.has(one.command)}
          onClick={() => void reportFailure(startExample(one))}
        >
          <Icon name={done.has(one.command) ? "check" : one.icon} />
          {one.title}
        </button>
      ))}
      {done.has("board subscribe") && (
        <button type="button" class="card row" onClick={() => openInspector("clock")}>
          <Icon name="clock" />
          Speed up time
        </button>
      )}
      <IconButton
        icon="close"
        label="Hide these suggestions"
        onClick={() => {
          isDismissed.value = true;
        }}
      />
    </div>
  );
}
