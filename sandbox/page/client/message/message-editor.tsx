// A message's own words in a box, to be changed.
import { useEffect, useRef, useState } from "preact/hooks";
import type { ChatMessage } from "../../../control/chat/api.ts";
import { decodeMentions, encodeMentions } from "../command/mentions.ts";
import { around, focusPlace, MOST_CHARACTERS, TEXT } from "../composer/draft-state.ts";
import { attempt } from "../state/acts.ts";
import { doomed, editedId } from "../state/editing.ts";

function leave(): void {
  editedId.value = undefined;
  focusPlace(TEXT);
}

export function MessageEditor({ message }: { readonly message: ChatMessage }) {
  const before = decodeMentions(message.content, around.value);
  const [value, setValue] = useState(before);
  const box = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    const { current } = box;
    current?.focus({ preventScroll: true });
    current?.setSelectionRange(before.length, before.length);
    current?.closest("li")?.scrollIntoView({ block: "nearest" });
  }, []);
  const save = async () => {
    const text = value.trim();
    if (text === "" && message.attachments.length === 0) {
      // Nothing would be left of it.
      doomed.value = message;
      return;
    }
    const isSame = text === before.trim();
    const act = { do: "edit", messageId: message.id, text: encodeMentions(text, around.value) } as const;
    if (isSame || (await attempt(act))) {
      leave();
    }
  };
  return (
    <form
      class="message-editor"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <textarea
        ref={box}
        class="composer-text rest"
        rows={1}
        aria-label="Edit message"
        maxLength={MOST_CHARACTERS}
        spellcheck={false}
        enterkeyhint="done"
        value={value}
        onInput={(event) => setValue(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === "Escape") {
            event.preventDefault();
            leave();
          } else if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
            event.preventDefault();
            void save();
          }
        }}
      />
      <p class="message-editor-words soft">
        escape to{" "}
        <button type="button" class="link-button" onClick={leave}>
          cancel
        </button>{" "}
        · enter to{" "}
        <button type="submit" class="link-button">
          save
        </button>
      </p>
    </form>
  );
}
