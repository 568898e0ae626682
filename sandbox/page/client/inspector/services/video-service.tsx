// The video service: films that were published, and the calls that did it.
import type { VideoLedger } from "../../../../control/api/video.ts";
import { Block } from "../parts/block.tsx";
import { CallList } from "../parts/call-list.tsx";
import { CopyButton } from "../parts/copy-button.tsx";
import { More } from "../parts/more.tsx";
import { useTold } from "../parts/use-told.ts";
import { count } from "../parts/words.ts";
import { VideoCard, videoLedger } from "./video-card.tsx";

const NOTHING: VideoLedger = { videos: [], tokens: [], calls: [] };

export function VideoService() {
  const { videos, tokens, calls } = useTold("video", videoLedger) ?? NOTHING;
  return (
    <>
      <Block title="Videos" aside={count(videos.length, "video")}>
        {videos.length === 0 ? (
          <p class="subtext">Nothing published yet. Try /video publish.</p>
        ) : (
          <ol class="lines">
            {videos.map((video) => <VideoCard key={video.id} video={video} />).toReversed()}
          </ol>
        )}
      </Block>
      <More title="Tokens for linking an account" count={tokens.length}>
        <ul class="lines">
          {tokens.map(({ label, value }) => (
            <li key={value} class="row">
              <span class="stack rest">
                {label}
                <code class="mono soft">{value}</code>
              </span>
              <CopyButton label={`Copy the token: ${label}`} text={value} />
            </li>
          ))}
        </ul>
      </More>
      <More title="All calls" count={calls.length}>
        <CallList
          calls={calls}
          more={({ made, error }) => (
            <>
              {made !== null && `made a ${made}`}
              {error !== null && <span class="alarm">{error}</span>}
            </>
          )}
        />
      </More>
    </>
  );
}
