// What can be done with a message.
import type { ChatMessage } from "../../../control/chat/api.ts";
import { COMMAND_KINDS } from "../command/runnables.ts";
import { focusPlace, replyTo, TEXT } from "../composer/draft-state.ts";
import { showInteraction } from "../inspector/traffic/traffic-state.ts";
import { attempt, runCommand, wordsOf } from "../state/acts.ts";
import { copyText } from "../state/copy-text.ts";
import { commands } from "../state/scene.ts";
import { tell } from "../state/toast.ts";
import { doomed, type MenuEntry } from "../state/layers.ts";

/** The bot's entries among them. Reads signals. */
export function menuEntries(message: ChatMessage): MenuEntry[] {
  if (message.loading) {
    return [];
  }
  const { id, ephemeral, text, interactionId } = message;
  return [
    ...(ephemeral ? [] : [replyEntry(id)]),
    ...(text === "" ? [] : [copyEntry("Copy text", text, "copy")]),
    copyEntry("Copy message link", linkTo(message), "link"),
    copyEntry("Copy message ID", id, "copy"),
    ...(interactionId === undefined ? [] : [trafficEntry(interactionId)]),
    ...(ephemeral ? [] : appEntries(id)),
    ...(message.mayDelete ? [deleteEntry(message)] : []),
    ...(ephemeral ? [dismissEntry(id)] : []),
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

function copyEntry(label: string, text: string, icon: "copy" | "link"): MenuEntry {
  return { label, icon, run: () => copyText(text) };
}

/** Leads to the same message in the page. */
function linkTo({ id, channelId }: ChatMessage): string {
  return `${location.origin}${location.pathname}?${new URLSearchParams({ channel: channelId, message: id })}`;
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
      group: "apps",
      run() {
        void runCommand(name, { do: "menu", messageId, entry: name }).catch((error: unknown) =>
          tell(wordsOf(error), "alarm"),
        );
      },
    }));
}

function deleteEntry(message: ChatMessage): MenuEntry {
  return {
    label: "Delete message",
    icon: "trash",
    group: "end",
    isDangerous: true,
    run() {
      doomed.value = message;
    },
  };
}

function dismissEntry(messageId: string): MenuEntry {
  return {
    label: "Dismiss message",
    icon: "close",
    group: "end",
    run: () => void attempt({ do: "dismiss", messageId }),
  };
}
