// The box at the bottom: a message or a command, what may come next above it, files and replies with it.
import { openedChannel } from "../state/scene.ts";
import { CommandBox } from "./command-box.tsx";
import { draft, problem, focusPlace, replyTo, TEXT } from "./draft-state.ts";
import { FileTray } from "./file-tray.tsx";
import { MessageBox } from "./message-box.tsx";
import { TryStrip } from "./try-strip.tsx";
import { IconButton } from "../kit/icon-button.tsx";
import { lookOf } from "../state/people.ts";
import { messages } from "../state/messages.ts";

export function Composer() {
  const channel = openedChannel.value;
  if (channel === undefined) {
    return null;
  }
  return (
    <section class="composer" aria-label="Write">
      <TryStrip />
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

/** Says that the message being written answers another. */
function ReplyBar() {
  const target = messages.value.find(({ id }) => id === replyTo.value);
  if (target === undefined) {
    return null;
  }
  const { name, tint } = lookOf(target.author.id, target.author.name);
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
