// Which way a file goes up.

export type UploadWay = "simple" | "chunked";

/** Above this, a connection that breaks costs too much to begin again, and cancelling should reach the service. */
const CHUNKED_FROM_BYTES = 16 * 1024 * 1024;

/** `auto` sends small files as the specification describes, large ones in pieces. */
export function chooseUpload(mode: "auto" | UploadWay, sizeBytes: number): UploadWay {
  if (mode !== "auto") {
    return mode;
  }
  return sizeBytes < CHUNKED_FROM_BYTES ? "simple" : "chunked";
}
