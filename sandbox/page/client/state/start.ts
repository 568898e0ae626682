// Ties the signals to the sandbox: what changes there is fetched here.
import { computed } from "@preact/signals";
import { handleTraffic, loadTraffic } from "../inspector/traffic-state.ts";
import { followBot } from "./bot.ts";
import { followClock, nowMs } from "./clock.ts";
import { connect, listen, onReconnect } from "./live.ts";
import { clearMessages, handleMessageChange, markUnread, refreshMessages } from "./messages.ts";
import { openedChannel, refreshCommands, refreshScene, scene } from "./scene.ts";
import { memberName, START_MEMBER, switchMember } from "./session.ts";
import { reportFailure } from "./toast.ts";

/** Who looks at which channel. */
const place = computed(() => `${scene.value?.me.id} ${openedChannel.value?.id}`);

/** Begins to hear the sandbox, and settles when the first scene has come, with the commands that are offered there. */
export async function start(): Promise<void> {
  listen("message", handleMessageChange);
  listen("traffic", handleTraffic);
  listen("places", () => refreshInBackground(refreshScene));
  listen("commands", () => refreshInBackground(refreshCommands));
  refreshAfterLeaps();
  onReconnect(() => {
    for (const refresh of [refreshScene, refreshCommands, refreshMessages, loadTraffic]) {
      refreshInBackground(refresh);
    }
  });
  connect();
  await reportFailure(Promise.all([loadFirstScene().then(refreshCommands), followClock(), followBot()]));
  memberName.subscribe(() => refreshInBackground(refreshScene));
  place.subscribe(loadPlace);
  refreshInBackground(loadTraffic);
}

/** A member whom the address names may not exist, or no longer. */
async function loadFirstScene(): Promise<void> {
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

const LEAP_MS = 3_600_000;

/** Links to pictures die on the sandbox's clock: when it leaps, they are asked for anew. */
function refreshAfterLeaps(): void {
  let lastMs = nowMs();
  listen("clock", (event) => {
    if (Math.abs(event.nowMs - lastMs) > LEAP_MS) {
      refreshInBackground(refreshMessages);
    }
    lastMs = event.nowMs;
  });
}

function loadPlace(): void {
  const channel = openedChannel.value;
  if (channel !== undefined) {
    clearMessages();
    markUnread(channel.id, false);
    refreshInBackground(refreshMessages);
    refreshInBackground(refreshCommands);
  }
}

function refreshInBackground(refresh: () => Promise<void>): void {
  void reportFailure(refresh());
}
