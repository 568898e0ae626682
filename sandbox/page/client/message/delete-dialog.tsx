// Asks before a message is taken away: nothing brings it back.
import { useEffect, useRef } from "preact/hooks";
import type { ChatMessage } from "../../../control/chat/api.ts";
import { Avatar } from "../kit/avatar.tsx";
import { Dialog } from "../kit/dialog.tsx";
import { attempt } from "../state/acts.ts";
import { second } from "../state/clock.ts";
import { NAMES } from "../state/people.ts";
import { plainWords } from "../text/plain-words.ts";
import { doomed } from "../state/layers.ts";

export function DeleteDialog() {
  const message = doomed.value;
  return message === undefined ? null : <Question key={message.id} message={message} />;
}

const close = () => {
  doomed.value = undefined;
};

function Question({ message }: { readonly message: ChatMessage }) {
  const { id, author } = message;
  const confirm = useRef<HTMLButtonElement>(null);
  useEffect(() => confirm.current?.focus(), []);
  const words = plainWords(message.text, NAMES, second.value);
  return (
    <Dialog label="Delete message" class="modal" onClose={close} closesOutside>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          close();
          void attempt({ do: "delete", messageId: id });
        }}
      >
        <header>
          <h2>Delete message</h2>
        </header>
        <div class="modal-fields">
          <p>Are you sure? It's deleted for everyone and can't be restored.</p>
          <blockquote class="doomed">
            <Avatar id={author.id} name={author.name} isBot={author.bot} size="small" />
            <strong>{author.name}</strong>
            <span class="doomed-words soft">{words === "" ? "A message without text" : words}</span>
          </blockquote>
          {author.bot && (
            <p class="hint soft">{author.name} is told about the deletion, as Discord tells any bot.</p>
          )}
        </div>
        <footer>
          <button type="button" class="button plain" onClick={close}>
            Cancel
          </button>
          <button ref={confirm} type="submit" class="button danger">
            Delete
          </button>
        </footer>
      </form>
    </Dialog>
  );
}
