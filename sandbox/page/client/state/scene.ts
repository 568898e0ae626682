// The guilds, channels and people that the member can see, and the commands that the open channel offers them.
import { computed, signal } from "@preact/signals";
import type { OfferedCommand, Person, Scene, SceneChannel, SceneRole } from "../../../control/chat/api.ts";
import { ask } from "../api/request.ts";
import { coalesce } from "./coalesce.ts";
import { channelId, memberName, openChannel } from "./session.ts";

export const scene = signal<Scene | undefined>(undefined);

export const commands = signal<readonly OfferedCommand[]>([]);

/** Whether commands have been fetched. Until then, the page cannot know that a command is not offered. */
export const hasAskedForCommands = signal(false);

export const personOf = (id: string): Person | undefined => scene.value?.people.find((one) => one.id === id);

export const roleOf = (id: string): SceneRole | undefined =>
  scene.value?.guilds.flatMap(({ roles }) => roles).find((one) => one.id === id);

/** `undefined` if the channel was deleted or the member cannot see it. */
export function channelOf(id: string): SceneChannel | undefined {
  const { guilds = [], directs = [] } = scene.value ?? {};
  return [...guilds.flatMap(({ channels }) => channels), ...directs].find((one) => one.id === id);
}

export const openedChannel = computed(() => channelOf(channelId.value));

/** The guild of the open channel; `undefined` in direct messages. */
export const openedGuild = computed(() =>
  scene.value?.guilds.find(({ id }) => id === openedChannel.value?.guildId),
);

/** Fetches the scene. If the member cannot see the open channel, opens the first one that they can see. */
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
