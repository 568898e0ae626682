/** Formats a file's size, e.g. `13.4 KB`. Pure. */
export function formatSize(sizeBytes: number): string {
  if (sizeBytes < 1024) {
    return `${sizeBytes} bytes`;
  }
  return sizeBytes < 1_048_576 ? `${trim(sizeBytes / 1024)} KB` : `${trim(sizeBytes / 1_048_576)} MB`;
}

function trim(value: number): string {
  return value.toFixed(1).replace(/\.0$/, "");
}
