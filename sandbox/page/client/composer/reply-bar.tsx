// Says that the message being written answers another.
import { IconButton } from "../kit/icon-button.tsx";
import { lookOf } from "../state/people.ts";
import { messages } from "../state/messages.ts";
import { focusPlace, replyTo, TEXT } from "./draft-state.ts";

export function ReplyBar() {
  const target = messages.value.find(({ id }) => id === replyTo.value);
  if (target === undefined) {
    return null;
  }
  const { name, tint } = lookOf(target.author.id, target.author.name);
  return (
    <div class="reply-bar">
      <span>
        Replying to <strong class={tint}>{name}</strong>
      </span>
      <IconButton
        icon="close"
        label="Do not reply"
        onClick={() => {
          replyTo.value = undefined;
          focusPlace(TEXT);
        }}
      />
    </div>
  );
}
