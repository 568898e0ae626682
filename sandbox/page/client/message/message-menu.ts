// What can be done with a message.
import type { ChatMessage } from "../../../control/chat/api.ts";
import { COMMAND_KINDS } from "../command/runnables.ts";
import { focusPlace, replyTo, TEXT } from "../composer/draft-state.ts";
import { showInteraction } from "../inspector/traffic-state.ts";
import { attempt, runCommand } from "../state/acts.ts";
import type { MenuEntry } from "../state/layers.ts";
import { commands } from "../state/scene.ts";
import { tellTrouble } from "../state/toast.ts";

export function replyToMessage(messageId: string): void {
  replyTo.value = messageId;
  focusPlace(TEXT);
}

/** The bot's entries among them. Reads signals. */
export function menuEntries(message: ChatMessage): MenuEntry[] {
  const { id, loading, ephemeral, interactionId, mayDelete } = message;
  const all: (MenuEntry & { readonly isOffered: boolean })[] = [
    { label: "Reply", icon: "reply", isOffered: !ephemeral, run: () => replyToMessage(id) },
    {
      // What bot and Discord said to each other for this message.
      label: "Inspect its calls",
      icon: "pulse",
      isOffered: interactionId !== undefined,
      run: () => showInteraction(interactionId ?? ""),
    },
    ...commands.value.map(({ name, kind }) => ({
      label: name,
      icon: "spark" as const,
      isOffered: kind === COMMAND_KINDS.message && !ephemeral,
      run: () => void tellTrouble(runCommand(name, { do: "menu", messageId: id, entry: name })),
    })),
    {
      label: "Dismiss message",
      icon: "close",
      isOffered: ephemeral,
      run: () => attempt({ do: "dismiss", messageId: id }),
    },
    { label: "Delete message", icon: "trash", isOffered: mayDelete, run: () => deleteMessage(id) },
  ];
  return loading ? [] : all.filter(({ isOffered }) => isOffered);
}

function deleteMessage(messageId: string): void {
  // The browser's own question: nothing brings the message back.
  if (confirm("Delete this message for everyone? It can't be restored.")) {
    attempt({ do: "delete", messageId });
  }
}
