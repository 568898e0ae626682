// The video service: films that were published, what is said about them, and what is on its way in.
import { useEffect } from "preact/hooks";
import { CallList } from "../parts/call-list.tsx";
import { CopyButton } from "../parts/copy-button.tsx";
import { More } from "../parts/more.tsx";
import { count } from "../parts/words.ts";
import { VideoCard } from "./video-card.tsx";
import { isInMotion, videoLedger } from "./video-state.ts";
import type { VideoUpload } from "../../../../control/api/video.ts";
import { formatSize } from "../../text/size.ts";
import { Meter } from "../parts/meter.tsx";

const LOOK_EVERY_MS = 1000;

export function VideoService() {
  const told = videoLedger.use();
  const isMoving = told !== undefined && isInMotion(told);
  useEffect(() => {
    if (!isMoving) {
      return undefined;
    }
    // A break is told of by the page.
    const timer = setInterval(() => void videoLedger.refresh().catch(() => undefined), LOOK_EVERY_MS);
    return () => clearInterval(timer);
  }, [isMoving]);
  if (told === undefined) {
    return null;
  }
  const { videos, uploads, tokens, calls } = told;
  return (
    <>
      {uploads.length > 0 && <Uploads uploads={uploads} />}
      <section class="block" aria-labelledby="videos-title">
        <header>
          <h3 id="videos-title">Videos</h3>
          <span class="subtext">{count(videos.length, "video")}</span>
        </header>
        {videos.length === 0 ? (
          <p class="empty">Nothing published yet. Try /video publish.</p>
        ) : (
          <ol class="videos">
            {videos.map((video) => <VideoCard key={video.id} video={video} />).toReversed()}
          </ol>
        )}
      </section>
      <More title="Tokens for linking an account" count={tokens.length}>
        <ul class="tokens">
          {tokens.map(({ label, value }) => (
            <li key={value}>
              <span class="row-words stack">
                <span>{label}</span>
                <code>{value}</code>
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
              {made !== null && <span class="call-note">made a {made}</span>}
              {error !== null && <span class="fault-mark">{error}</span>}
            </>
          )}
        />
      </More>
    </>
  );
}

/** Films on their way in. */
function Uploads({ uploads }: { readonly uploads: readonly VideoUpload[] }) {
  return (
    <section class="block" aria-labelledby="uploads-title">
      <header>
        <h3 id="uploads-title">Uploads in progress</h3>
      </header>
      <ul class="uploads">
        {uploads.map(({ id, kind, receivedBytes, sizeBytes }) => {
          const got = formatSize(receivedBytes);
          const words = sizeBytes === null ? got : `${got} of ${formatSize(sizeBytes)}`;
          return (
            <li key={id}>
              <p class="upload-words">
                <span>{kind === "simple" ? "In one piece" : "In several pieces"}</span>
                <span class="subtext">{words}</span>
              </p>
              {sizeBytes !== null && (
                <Meter
                  label="Received"
                  kind="progress"
                  value={receivedBytes}
                  most={sizeBytes}
                  words={words}
                />
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
