import type { ChatMessage } from "../../../../sandbox/control/chat/api.ts";

/** A plain message from Ada as the page receives it, with overrides. */
export function chatMessage(given: Partial<ChatMessage> = {}): ChatMessage {
  return {
    id: "1",
    channelId: "9",
    interactionId: undefined,
    author: { id: "1", name: "Ada", bot: false },
    content: "hello",
    flags: 0,
    components: [],
    attachments: [],
    ephemeral: false,
    loading: false,
    createdAtMs: 0,
    editedAtMs: undefined,
    repliesTo: undefined,
    because: undefined,
    text: "hello",
    pings: [],
    used: undefined,
    mayDelete: false,
    ...given,
  };
}
