// Where one can be and who one can be: guilds, channels, and the member who is played.
import { ChannelList } from "./channel-list.tsx";
import { GuildRail } from "./guild-rail.tsx";
import { listedPlace } from "./listed-place.ts";
import { MemberSwitcher } from "./member-switcher.tsx";
import { openedGuild, scene } from "../state/scene.ts";

export function Places() {
  const { guilds = [], directs = [] } = scene.value ?? {};
  const wanted = listedPlace.value ?? openedGuild.value?.id ?? "directs";
  const guild = guilds.find(({ id }) => id === wanted);
  return (
    <div class="places">
      <GuildRail guilds={guilds} directs={directs} listed={guild?.id ?? "directs"} />
      <div class="places-main">
        <ChannelList title={guild?.name ?? "Direct messages"} channels={guild?.channels ?? directs} />
        <MemberSwitcher />
      </div>
    </div>
  );
}
