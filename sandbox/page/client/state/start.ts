// Ties the signals to the sandbox: what changes there is fetched here.
import { effect, untracked } from "@preact/signals";
import { followBot } from "./bot.ts";
import { followClock, nowMs } from "./clock.ts";
import { connect, listen, listenToReturn } from "./live.ts";
import {
  clearMessages,
  dropMessage,
  hearMessage,
  markUnread,
  refreshMessages,
  touchMessage,
} from "./messages.ts";
import { openedChannel, refreshCommands, refreshScene, scene } from "./scene.ts";
import { memberName, START_MEMBER, switchMember } from "./session.ts";
import { tellTrouble } from "./toast.ts";

/** Begins to hear the sandbox, and settles when the first scene has come, with the commands that are offered there. */
export async function start(): Promise<void> {
  hearMessages();
  hearLeaps();
  for (const type of PLACES) {
    listen(type, () => follow(refreshScene));
  }
  for (const type of ["commands-changed", "command-permissions-changed"] as const) {
    listen(type, () => follow(refreshCommands));
  }
  listenToReturn(() => {
    for (const refresh of [refreshScene, refreshCommands, refreshMessages]) {
      follow(refresh);
    }
  });
  connect();
  await tellTrouble(Promise.all([firstScene().then(refreshCommands), followClock(), followBot()]));
  let member = memberName.value;
  effect(() => {
    const next = memberName.value;
    untracked(() => {
      if (next !== member) {
        member = next;
        follow(refreshScene);
      }
    });
  });
  effect(() => {
    const id = openedChannel.value?.id;
    const as = scene.value?.me.id;
    untracked(() => lookAt(id, as));
  });
}

/** A member whom the address names may not exist, or no longer. */
async function firstScene(): Promise<void> {
  try {
    await refreshScene();
  } catch (error) {
    if (memberName.value === START_MEMBER) {
      throw error;
    }
    switchMember(START_MEMBER);
    await refreshScene();
  }
}

/** Links to pictures die on the sandbox's clock: when it leaps, they are asked for anew. */
function hearLeaps(): void {
  let lastMs = nowMs();
  listen("clock", (event) => {
    if (Math.abs(event.nowMs - lastMs) > LEAP_MS) {
      follow(refreshMessages);
    }
    lastMs = event.nowMs;
  });
}

const LEAP_MS = 3_600_000;

const PLACES = [
  "channel-created",
  "channel-deleted",
  "thread-created",
  "thread-updated",
  "guild-joined",
  "guild-left",
] as const;

let looked = "";

function lookAt(channel: string | undefined, as: string | undefined): void {
  const place = `${as} ${channel}`;
  if (channel !== undefined && place !== looked) {
    looked = place;
    clearMessages();
    markUnread(channel, false);
    follow(refreshMessages);
    follow(refreshCommands);
  }
}

function hearMessages(): void {
  listen("message-created", (event) => hearMessage(event.channelId, event.messageId));
  listen("message-updated", (event) => touchMessage(event.channelId, event.messageId));
  listen("message-deleted", (event) => dropMessage(event.channelId, event.messageId));
}

function follow(refresh: () => Promise<void>): void {
  void tellTrouble(refresh());
}
