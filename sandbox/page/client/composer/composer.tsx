// The box at the bottom: a message or a command, what may come next above it, files and replies with it.
import { openedChannel } from "../state/scene.ts";
import { CommandBox } from "./command-box.tsx";
import { draft, problem } from "./draft-state.ts";
import { FileTray } from "./file-tray.tsx";
import { MessageBox } from "./message-box.tsx";
import { ReplyBar } from "./reply-bar.tsx";
import { TryStrip } from "./try-strip.tsx";

export function Composer() {
  const channel = openedChannel.value;
  if (channel === undefined) {
    return null;
  }
  return (
    <section class="composer" aria-label="Write">
      <TryStrip />
      <ReplyBar />
      <div class="composer-box">
        <FileTray />
        {draft.value === undefined ? <MessageBox channel={channel} /> : <CommandBox draft={draft.value} />}
      </div>
      <p class="composer-problem" id="composer-problem" role="alert">
        {problem}
      </p>
    </section>
  );
}
