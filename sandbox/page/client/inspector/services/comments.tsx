// What is said about a film, and a box for somebody of the audience.
import { useSignal } from "@preact/signals";
import type { PublishedVideo, VideoComment } from "../../../../control/api/video.ts";
import { Icon } from "../../kit/icon.tsx";
import { More } from "../parts/more.tsx";
import { count, formatMoment } from "../parts/words.ts";
import { CommentBox } from "./comment-box.tsx";

export function Comments({ video: { id, comments } }: { readonly video: PublishedVideo }) {
  const answered = useSignal<VideoComment | undefined>(undefined);
  return (
    <More title="Comments" count={comments.length} isOpen={comments.length > 0}>
      {comments.length > 0 && (
        <CommentThread
          comments={comments}
          parentId={null}
          onAnswer={(comment) => {
            answered.value = comment;
          }}
        />
      )}
      <CommentBox videoId={id} answered={answered} />
    </More>
  );
}

interface CommentThreadProps {
  readonly comments: readonly VideoComment[];
  readonly parentId: string | null;
  readonly onAnswer: (comment: VideoComment) => void;
}

function CommentThread({ comments, parentId, onAnswer }: CommentThreadProps) {
  const here = comments.filter((comment) => comment.parentId === parentId);
  return here.length === 0 ? null : (
    <ul class="comments" aria-label={parentId === null ? "Comments" : count(here.length, "answer")}>
      {here.map((comment) => (
        <li key={comment.id}>
          <div class={comment.isHidden ? "comment concealed" : "comment"}>
            <p class="comment-head">
              <strong>{comment.isByPage ? "The page" : (comment.author ?? "Somebody")}</strong>
              <time class="subtext">{formatMoment(comment.atMs)}</time>
              {comment.isHidden && (
                <span class="subtext">
                  <Icon name="eye" /> hidden
                </span>
              )}
            </p>
            <p class="comment-text">{comment.message}</p>
            <button type="button" class="link-button" onClick={() => onAnswer(comment)}>
              Answer
            </button>
          </div>
          <CommentThread comments={comments} parentId={comment.id} onAnswer={onAnswer} />
        </li>
      ))}
    </ul>
  );
}
