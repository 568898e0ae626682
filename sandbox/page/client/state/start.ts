// Keeps the page's signals up to date with the sandbox.
import { computed } from "@preact/signals";
import { handleTraffic, loadTraffic } from "../inspector/traffic-state.ts";
import { followBot } from "./bot.ts";
import { followClock, nowMs } from "./clock.ts";
import { connect, listen, onReconnect } from "./live.ts";
import { clearMessages, handleMessageChange, markUnread, refreshMessages } from "./messages.ts";
import { openedChannel, refreshCommands, refreshScene, scene } from "./scene.ts";
import { memberName, START_MEMBER, switchMember } from "./session.ts";
import { reportFailure } from "./toast.ts";

const place = computed(() => `${scene.value?.me.id} ${openedChannel.value?.id}`);

/** Connects to the sandbox. Resolves when the first scene, its commands, the clock and the bot's state have loaded. */
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

/** Loads the scene of the member in the URL, or of `START_MEMBER` if that member does not exist. */
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

/** Fetches messages again after the sandbox's clock has jumped, because links to pictures expire by that clock. */
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
