// One film at the video service: how it is, to watch, and what is said about it.
import type { PublishedVideo } from "../../../../control/api/video.ts";
import { Icon } from "../../kit/icon.tsx";
import { formatSize } from "../../text/size.ts";
import { Meter } from "../parts/meter.tsx";
import { tellTrouble } from "../parts/use-live.ts";
import { count, formatMoment, type Tone } from "../parts/words.ts";
import { Comments } from "./comments.tsx";
import { endProcessing } from "./video-state.ts";

export function VideoCard({ video }: { readonly video: PublishedVideo }) {
  const { title, description, page, file, mediaUrl, createdAtMs } = video;
  const state = stateOf(video);
  return (
    <li class="video">
      {mediaUrl === null ? (
        <div class="video-none">
          <Icon name="film" />
        </div>
      ) : (
        <video src={mediaUrl} controls preload="metadata" aria-label={title || file.name} />
      )}
      <div class="video-words">
        <p class="order-head">
          <strong>{title || file.name}</strong>
          <span class={`status ${state.tone}`}>{state.words}</span>
        </p>
        {description !== "" && <p class="video-description">{description}</p>}
        <p class="subtext">
          {page}, {formatMoment(createdAtMs)}, {formatSize(file.sizeBytes)}
        </p>
        <p class="subtext">
          {count(video.views, "view")}, {count(video.likes, "like")}, {count(video.shares, "share")}
        </p>
        {video.status === "processing" && <Processing video={video} />}
        <Comments video={video} />
      </div>
    </li>
  );
}

function Processing({ video: { id, percent } }: { readonly video: PublishedVideo }) {
  return (
    <div class="processing">
      <Meter label="Processed" kind="progress" value={percent} most={100} words={`${percent}%`} />
      <div class="buttons">
        <button
          type="button"
          class="button"
          onClick={() => tellTrouble(endProcessing({ videoId: id, end: "ready" }))}
        >
          Finish now
        </button>
        <button
          type="button"
          class="button"
          onClick={() => tellTrouble(endProcessing({ videoId: id, end: "failed" }))}
        >
          Make it fail
        </button>
      </div>
    </div>
  );
}

function stateOf(video: PublishedVideo): { readonly words: string; readonly tone: Tone } {
  const { status, percent, publishing, publishAtMs } = video;
  if (status === "error") {
    return { words: "failed", tone: "alarm" };
  }
  if (status === "processing") {
    return { words: `processing, ${percent}%`, tone: "warning" };
  }
  if (publishing === "scheduled") {
    return { words: publishAtMs === null ? "scheduled" : `for ${formatMoment(publishAtMs)}`, tone: "plain" };
  }
  return { words: publishing, tone: publishing === "published" ? "good" : "plain" };
}
