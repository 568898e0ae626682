// Films on their way in.
import type { VideoUpload } from "../../../../control/api/video.ts";
import { formatSize } from "../../text/size.ts";
import { Meter } from "../parts/meter.tsx";

export function Uploads({ uploads }: { readonly uploads: readonly VideoUpload[] }) {
  return (
    <section class="block" aria-labelledby="uploads-title">
      <header>
        <h3 id="uploads-title">Coming in</h3>
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
