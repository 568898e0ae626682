// The buttons of a message that is pointed at.
import type { ChatMessage } from "../../../control/chat/api.ts";
import { focusPlace, replyTo, TEXT } from "../composer/draft-state.ts";
import { IconButton } from "../kit/icon-button.tsx";
import type { Spot } from "../kit/place-near.ts";
import { spotOf } from "../kit/spot-of.ts";

interface MessageToolsProps {
  readonly message: ChatMessage;
  readonly onMenu: (at: Spot) => void;
}

export function MessageTools({ message: { id, ephemeral }, onMenu }: MessageToolsProps) {
  return (
    <div class="message-tools">
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
        onClick={(event) => {
          if (event.currentTarget instanceof Element) {
            onMenu(spotOf(event.currentTarget));
          }
        }}
      />
    </div>
  );
}
