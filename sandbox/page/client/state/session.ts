// Who is played, and what they look at. The address keeps it, so that a reload comes back to the same place.
import { signal } from "@preact/signals";

/** Whoever opens the page for the first time plays her: she may do everything. */
export const START_MEMBER = "Ada";

const asked = new URLSearchParams(location.search);

/** The display name of the member who is played. */
export const memberName = signal(asked.get("member") ?? START_MEMBER);

/** The open channel; empty before the first scene has come. */
export const channelId = signal(asked.get("channel") ?? "");

export function switchMember(name: string): void {
  memberName.value = name;
  remember();
}

export function openChannel(id: string): void {
  channelId.value = id;
  remember();
}

function remember(): void {
  const query = new URLSearchParams({ member: memberName.value, channel: channelId.value });
  history.replaceState(null, "", `?${query}`);
}
