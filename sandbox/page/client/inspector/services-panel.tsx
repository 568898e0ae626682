// The services' stand-ins: the videos that were published, and every call of the bot.
import { signal } from "@preact/signals";
import type { ServiceCall, Services } from "../../../control/api/services.ts";
import { count, formatTime } from "./words.ts";
import { VideoCard } from "./video-card.tsx";
import { Block, Status, useTold } from "./parts.tsx";

const services = signal<Services>({ videos: [], calls: [] });

export function ServicesPanel() {
  const { videos, calls } = useTold("services", services);
  return (
    <div class="panel">
      <Block title="Videos" aside={count(videos.length, "video")}>
        {videos.length === 0 && <p class="subtext">Nothing published yet. Try /video publish.</p>}
        <ol class="lines">
          {videos.map((video) => <VideoCard key={video.id} video={video} services={services} />).toReversed()}
        </ol>
      </Block>
      <Block title="Calls" aside="latest first">
        {calls.length === 0 && <p class="subtext">No calls yet.</p>}
        <ol class="lines">{calls.map((call, index) => <Call key={index} call={call} />).toReversed()}</ol>
      </Block>
    </div>
  );
}

function Call({ call }: { readonly call: ServiceCall }) {
  const { service, atMs, method, path, status, tookMs, fault } = call;
  return (
    <li class="call row">
      <time class="mono soft">{formatTime(atMs)}</time>
      <span class="mono method">{method}</span>
      <span class="rest subtext">
        {service}
        {fault !== null && <span class="alarm"> met {fault}</span>}
      </span>
      <Status status={status} tookMs={tookMs} />
      <span class="call-path mono">{path}</span>
    </li>
  );
}
