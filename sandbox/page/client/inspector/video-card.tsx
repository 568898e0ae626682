// One video at the video service: how it is, to watch, and what is said about it.
import type { Signal } from "@preact/signals";
import type { PublishedVideo, Services } from "../../../control/api/services.ts";
import { send } from "../api/request.ts";
import { tellTrouble } from "../state/toast.ts";
import { formatMoment } from "./words.ts";

interface VideoCardProps {
  readonly video: PublishedVideo;
  /** Gets what there is after an order. */
  readonly services: Signal<Services>;
}

export function VideoCard({ video, services }: VideoCardProps) {
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
          void tellTrouble(say(new FormData(form).get("message")));
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
          Say
        </button>
      </form>
    </li>
  );
}
