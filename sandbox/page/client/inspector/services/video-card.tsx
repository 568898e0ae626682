// One film at the video service: how it is, to watch, and what is said about it.
import { signal, useSignal } from "@preact/signals";
import type { PublishedVideo, VideoLedger } from "../../../../control/api/video.ts";
import { send } from "../../api/request.ts";
import { tellTrouble } from "../../state/toast.ts";
import { formatSize } from "../../text/size.ts";
import { More } from "../parts/more.tsx";
import { count, formatMoment, type Tone } from "../parts/words.ts";

export const videoLedger = signal<VideoLedger | undefined>(undefined);

/** Does something at the video service, and takes what it then has. Throws ApiError. */
async function orderVideo(path: "comments" | "processing", order: object): Promise<void> {
  videoLedger.value = await send<VideoLedger>(`video/${path}`, order);
}

export function VideoCard({ video }: { readonly video: PublishedVideo }) {
  const { title, description, page, file, mediaUrl, createdAtMs } = video;
  const state = stateOf(video);
  return (
    <li class="video stack">
      {mediaUrl !== null && (
        <video src={mediaUrl} controls preload="metadata" aria-label={title || file.name} />
      )}
      <p class="row">
        <strong class="rest">{title || file.name}</strong>
        <span class={`status ${state.tone}`}>{state.words}</span>
      </p>
      {description !== "" && <p>{description}</p>}
      <p class="subtext">
        {page}, {formatMoment(createdAtMs)}, {formatSize(file.sizeBytes)}
      </p>
      <p class="subtext">
        {count(video.views, "view")}, {count(video.likes, "like")}, {count(video.shares, "share")}
      </p>
      {video.status === "processing" && <Processing video={video} />}
      <Comments video={video} />
    </li>
  );
}

function Processing({ video: { id, percent } }: { readonly video: PublishedVideo }) {
  const endAs = (end: "ready" | "failed") => void tellTrouble(orderVideo("processing", { videoId: id, end }));
  return (
    <>
      <progress aria-label="Processed" max={100} value={percent} />
      <div class="buttons row">
        <button type="button" class="button" onClick={() => endAs("ready")}>
          Finish now
        </button>
        <button type="button" class="button" onClick={() => endAs("failed")}>
          Make it fail
        </button>
      </div>
    </>
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

/** What is said about a film, and a box for somebody of the audience. */
function Comments({ video: { id, comments } }: { readonly video: PublishedVideo }) {
  const message = useSignal("");
  return (
    <More title="Comments" count={comments.length}>
      <ul class="lines">
        {comments.map((comment) => (
          <li key={comment.id} class={comment.parentId === null ? "" : "answer"}>
            <strong>{comment.isByPage ? "The page" : (comment.author ?? "Somebody")}</strong>{" "}
            <span class="subtext">
              {formatMoment(comment.atMs)}
              {comment.isHidden && ", hidden"}
            </span>
            <p>{comment.message}</p>
          </li>
        ))}
      </ul>
      <form
        class="row"
        onSubmit={(event) => {
          event.preventDefault();
          const { value } = message;
          if (value.trim() !== "") {
            message.value = "";
            void tellTrouble(orderVideo("comments", { aboutId: id, message: value }));
          }
        }}
      >
        <input
          class="input rest"
          aria-label="Comment as a viewer"
          placeholder="Comment as a viewer"
          maxLength={8000}
          value={message}
          onInput={({ currentTarget }) => {
            message.value = currentTarget.value;
          }}
        />
        <button type="submit" class="button primary">
          Say
        </button>
      </form>
    </More>
  );
}
