// The guilds, channels and people that the member sees, and the commands that they are offered in the open channel.
import { computed, signal } from "@preact/signals";
import type { OfferedCommand, Person, Scene, SceneChannel } from "../../../control/chat/api.ts";
import { ask } from "../api/request.ts";
import { coalesce } from "./coalesce.ts";
import { channelId, memberName, openChannel } from "./session.ts";

export const scene = signal<Scene | undefined>(undefined);

export const commands = signal<readonly OfferedCommand[]>([]);

/** Whether they were asked for: before that, nobody can say that a command is not offered. */
export const hasAskedForCommands = signal(false);

const people = computed(() => new Map((scene.value?.people ?? []).map((one) => [one.id, one])));

const channels = computed(() => {
  const { guilds = [], directs = [] } = scene.value ?? {};
  const all = [...guilds.flatMap((guild) => guild.channels), ...directs];
  return new Map(all.map((one) => [one.id, one]));
});

/** `undefined` for one that is gone or out of sight. */
export const channelOf = (id: string): SceneChannel | undefined => channels.value.get(id);

export const personOf = (id: string): Person | undefined => people.value.get(id);

export const openedChannel = computed(() => channels.value.get(channelId.value));

/** The guild of the open channel; `undefined` in direct messages. */
export const openedGuild = computed(() =>
  scene.value?.guilds.find(({ id }) => id === openedChannel.value?.guildId),
);

export const roles = computed(
  () =>
    new Map(
      (scene.value?.guilds ?? []).flatMap((guild) => guild.roles.map((role) => [role.id, role] as const)),
    ),
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
