// The chat: its head, the messages, the box.
import { Composer } from "../composer/composer.tsx";
import { DropZone } from "../composer/drop-zone.tsx";
import { ChannelHead } from "./channel-head.tsx";
import { Transcript } from "./transcript.tsx";

export function ChatPane() {
  return (
    <DropZone>
      <ChannelHead />
      <Transcript />
      <Composer />
    </DropZone>
  );
}
