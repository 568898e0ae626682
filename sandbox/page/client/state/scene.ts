// The guilds, channels and people that the member sees, and the commands that they are offered in the open channel.
import { computed, signal } from "@preact/signals";
import type { OfferedCommand, Person, Scene, SceneChannel, SceneRole } from "../../../control/chat/api.ts";
import { ask } from "../api/request.ts";
import { coalesce } from "./coalesce.ts";
import { channelId, memberName, openChannel } from "./session.ts";

export const scene = signal<Scene | undefined>(undefined);

export const commands = signal<readonly OfferedCommand[]>([]);

/** Whether they were asked for: before that, nobody can say that a command is not offered. */
export const hasAskedForCommands = signal(false);

export const personOf = (id: string): Person | undefined => scene.value?.people.find((one) => one.id === id);

export const roleOf = (id: string): SceneRole | undefined =>
  scene.value?.guilds.flatMap(({ roles }) => roles).find((one) => one.id === id);

/** `undefined` for one that is gone or out of sight. */
export function channelOf(id: string): SceneChannel | undefined {
  const { guilds = [], directs = [] } = scene.value ?? {};
  return [...guilds.flatMap(({ channels }) => channels), ...directs].find((one) => one.id === id);
}

export const openedChannel = computed(() => channelOf(channelId.value));

/** The guild of the open channel; `undefined` in direct messages. */
export const openedGuild = computed(() =>
  scene.value?.guilds.find(({ id }) => id === openedChannel.value?.guildId),
);

/** Fetches it anew. A channel that is not, or no longer, in sight gives way to the first that is. */
export const refreshScene = coalesce(async () => {
  const member = memberName.value;
  const next = await ask<Scene>("chat/scene", { member });
  if (member !== memberName.value) {
    return refreshScene();
  }
  scene.value = next;
  if (openedChannel.value === undefined) {
    openChannel(next.guilds[0]?.channels[0]?.id ?? next.directs[0]?.id ?? "");
  }
});

/** Fetches what the member is offered in the open channel. */
export const refreshCommands = coalesce(async () => {
  const place = { member: memberName.value, channel: channelId.value };
  try {
    const offered = await ask<readonly OfferedCommand[]>("chat/commands", place);
    if (place.member === memberName.value && place.channel === channelId.value) {
      commands.value = offered;
    }
  } finally {
    hasAskedForCommands.value = true;
  }
});
