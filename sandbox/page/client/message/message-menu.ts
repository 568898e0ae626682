// What can be done with a message.
import type { ChatMessage } from "../../../control/chat/api.ts";
import { COMMAND_KINDS } from "../command/runnables.ts";
import { focusPlace, replyTo, TEXT } from "../composer/draft-state.ts";
import { showInteraction } from "../inspector/traffic-state.ts";
import { attempt, runCommand } from "../state/acts.ts";
import { copyText } from "../state/copy-text.ts";
import { commands } from "../state/scene.ts";
import { tellTrouble } from "../state/toast.ts";
import type { MenuEntry } from "../state/layers.ts";

/** The bot's entries among them. Reads signals. */
export function menuEntries(message: ChatMessage): MenuEntry[] {
  if (message.loading) {
    return [];
  }
  const { id, ephemeral, text, interactionId } = message;
  return [
    ...(ephemeral ? [] : [replyEntry(id)]),
    ...(text === "" ? [] : [copyEntry(text)]),
    ...(interactionId === undefined ? [] : [trafficEntry(interactionId)]),
    ...(ephemeral ? [dismissEntry(id)] : appEntries(id)),
    ...(message.mayDelete ? [deleteEntry(id)] : []),
  ];
}

function replyEntry(messageId: string): MenuEntry {
  return {
    label: "Reply",
    icon: "reply",
    run() {
      replyTo.value = messageId;
      focusPlace(TEXT);
    },
  };
}

function copyEntry(text: string): MenuEntry {
  return { label: "Copy text", icon: "copy", run: () => copyText(text) };
}

/** What bot and Discord said to each other for this message. */
function trafficEntry(interactionId: string): MenuEntry {
  return { label: "Inspect its calls", icon: "pulse", run: () => showInteraction(interactionId) };
}

/** Commands that the bot has registered for messages. */
function appEntries(messageId: string): MenuEntry[] {
  return commands.value
    .filter(({ kind }) => kind === COMMAND_KINDS.message)
    .map(({ name }) => ({
      label: name,
      icon: "spark",
      run() {
        void tellTrouble(runCommand(name, { do: "menu", messageId, entry: name }));
      },
    }));
}

function deleteEntry(messageId: string): MenuEntry {
  return {
    label: "Delete message",
    icon: "trash",
    isDangerous: true,
    run() {
      // The browser's own question: nothing brings the message back.
      if (confirm("Delete this message for everyone? It can't be restored.")) {
        attempt({ do: "delete", messageId });
      }
    },
  };
}

function dismissEntry(messageId: string): MenuEntry {
  return {
    label: "Dismiss message",
    icon: "close",
    run: () => attempt({ do: "dismiss", messageId }),
  };
}
