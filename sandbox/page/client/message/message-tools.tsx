// The buttons of a message that is pointed at.
import type { ChatMessage } from "../../../control/chat/api.ts";
import { focusPlace, replyTo, TEXT } from "../composer/draft-state.ts";
import { IconButton } from "../kit/icon-button.tsx";
import type { OpenedMenu } from "../state/layers.ts";

interface MessageToolsProps {
  readonly message: ChatMessage;
  readonly onMenu: (at: OpenedMenu["at"]) => void;
}

export function MessageTools({ message: { id, ephemeral }, onMenu }: MessageToolsProps) {
  return (
    <div class="message-tools card row">
      {!ephemeral && (
        <IconButton
          icon="reply"
          label="Reply"
          onClick={() => {
            replyTo.value = id;
            focusPlace(TEXT);
          }}
        />
      )}
      <IconButton
        icon="more"
        label="More"
        opens="menu"
        onClick={({ clientX, clientY }) => onMenu({ x: clientX, y: clientY })}
      />
    </div>
  );
}
