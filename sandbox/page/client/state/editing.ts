// Which message's words are being changed, and which one's end is being asked for: one of each at a time.
import { signal } from "@preact/signals";
import type { ChatMessage } from "../../../control/chat/api.ts";
import { messages } from "./messages.ts";
import { scene } from "./scene.ts";

/** The message whose words stand in a box of their own. */
export const editedId = signal<string | undefined>(undefined);

/** The message that is taken away once that is confirmed. */
export const doomed = signal<ChatMessage | undefined>(undefined);

/** Begins with the last one that the member wrote here; whether there is one. */
export function editLast(): boolean {
  const me = scene.value?.me.id;
  const last = messages.value.findLast(({ author, mayEdit }) => author.id === me && mayEdit);
  editedId.value = last?.id;
  return last !== undefined;
}
