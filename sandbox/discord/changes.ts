// Events inside the local Discord: the rules emit them; the gateway, the actors and the page listen.
import type { Channel, Guild, Interaction, Message } from "./entities.ts";

/** Anything that a client would notice. */
export type Change =
  | { readonly type: "message-created" | "message-updated" | "message-deleted"; readonly message: Message }
  | { readonly type: "interaction-changed"; readonly interaction: Interaction }
  | { readonly type: "channel-created" | "channel-deleted"; readonly channel: Channel }
  | { readonly type: "thread-created" | "thread-updated"; readonly channel: Channel }
  | { readonly type: "commands-changed" }
  | { readonly type: "command-permissions-changed"; readonly guild: Guild; readonly commandId: string }
  | { readonly type: "guild-joined"; readonly guild: Guild }
  | { readonly type: "guild-left"; readonly guild: Guild; readonly unavailable: boolean };

export type Changes = ReturnType<typeof createChanges>;

export function createChanges() {
  const listeners = new Set<(change: Change) => void>();
  const byInteraction = new Map<string, () => void>();
  return {
    emit(change: Change) {
      for (const listener of listeners) {
        listener(change);
      }
      const id = "interaction" in change ? change.interaction.id : undefined;
      if (id !== undefined) {
        byInteraction.get(id)?.();
      }
    },
    listen(listener: (change: Change) => void) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    /** Calls back only on changes of one interaction, including its answers. Stays fast with many listeners. */
    listenTo(interactionId: string, listener: () => void) {
      byInteraction.set(interactionId, listener);
      return () => byInteraction.delete(interactionId);
    },
  };
}
