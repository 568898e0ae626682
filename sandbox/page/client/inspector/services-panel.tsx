// The stand-ins for the services: the videos that were published, and the calls that the bot made.
import { signal } from "@preact/signals";
import type { PublishedVideo, ServiceCall, Services } from "../../../control/api/services.ts";
import { count, formatMoment, formatTime } from "./format.ts";
import { Block, Path, Status, usePolled } from "./parts.tsx";
import { send } from "../api/request.ts";
import { reportFailure } from "../state/toast.ts";

const services = signal<Services>({ videos: [], calls: [] });

export function ServicesPanel() {
  const { videos, calls } = usePolled("services", services);
  return (
    <div class="panel">
      <Block title="Videos" aside={count(videos.length, "video")}>
        {videos.length === 0 && <p class="subtext">Nothing published yet. Try /video publish.</p>}
        <ol class="lines">
          {videos.map((video) => <VideoCard key={video.id} video={video} />).toReversed()}
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
        {fault !== null && <span class="alarm">, fault: {fault}</span>}
      </span>
      <Status status={status} tookMs={tookMs} />
      <span class="call-path mono">
        <Path path={path} />
      </span>
    </li>
  );
}

function VideoCard({ video }: { readonly video: PublishedVideo }) {
  const { id, title, description, page, mediaUrl, createdAtMs, status, percent, publishing, comments } =
    video;
  const say = async (message: unknown) => {
    services.value = await send("services/comments", { aboutId: id, message });
  };
  return (
    <li class="video stack">
      {mediaUrl !== null && <video src={mediaUrl} controls preload="metadata" aria-label={title} />}
      <p class="row">
        <strong class="rest">{title}</strong>
        <span class={`status ${status === "error" ? "alarm" : "good"}`}>
          {status === "ready" ? publishing : status}
        </span>
      </p>
      {description !== "" && <p>{description}</p>}
      <p class="subtext">
        {page}, {formatMoment(createdAtMs)}
      </p>
      {status === "processing" && <progress aria-label="Processed" max={100} value={percent} />}
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
          const form = event.currentTarget;
          void reportFailure(say(new FormData(form).get("message")));
          form.reset();
        }}
      >
        <input
          class="input rest"
          name="message"
          aria-label="Comment as a viewer"
          placeholder="Comment as a viewer"
          required
          maxLength={8000}
        />
        <button type="submit" class="button primary">
          Comment
        </button>
      </form>
    </li>
  );
}
