// The current member and the open channel. Both are in the page's URL, so that a reload returns to them.
import { signal } from "@preact/signals";

/** The member on the first visit. She may do everything. */
export const START_MEMBER = "Ada";

const asked = new URLSearchParams(location.search);

export const memberName = signal(asked.get("member") ?? START_MEMBER);

/** The id of the open channel; empty until the first scene has loaded. */
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
