// An answer that trickles, in real time.
const STEP_BYTES = 8;
const STEP_MS = 2;

export function slowly(body: ArrayBuffer): ReadableStream<Uint8Array> {
  const bytes = new Uint8Array(body);
  let at = 0;
  return new ReadableStream({
    async pull(controller) {
      await new Promise((resolve) => setTimeout(resolve, STEP_MS));
      controller.enqueue(bytes.slice(at, at + STEP_BYTES));
      at += STEP_BYTES;
      if (at >= bytes.byteLength) {
        controller.close();
      }
    },
  });
}
