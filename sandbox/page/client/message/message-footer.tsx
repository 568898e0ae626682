// Below a message: that only one person sees it, that pressing something on it failed.
import type { ChatMessage } from "../../../control/chat/api.ts";
import { Icon } from "../kit/icon.tsx";
import { attempt } from "../state/acts.ts";
import { failedPresses } from "../state/pending.ts";

export function MessageFooter({ message: { id, ephemeral } }: { readonly message: ChatMessage }) {
  const failure = failedPresses.value.get(id);
  return (
    <>
      {failure !== undefined && (
        <p class="failure" role="alert">
          <Icon name="alarm" />
          {failure}
        </p>
      )}
      {ephemeral && (
        <p class="only-you">
          <Icon name="eye" />
          Only you can see this ·{" "}
          <button
            type="button"
            class="link-button"
            onClick={() => void attempt({ do: "dismiss", messageId: id })}
          >
            Dismiss message
          </button>
        </p>
      )}
    </>
  );
}
