// A proxy that counts round trips to a server. It holds answers back and passes them on in waves: statements that are
// sent together wait for the same wave, so the number of waves is the number of round trips that run one after the
// other.
import { openTcpProxy } from "./tcp-proxy.ts";

export interface RoundTrips extends AsyncDisposable {
  readonly port: number;
  /** Counts the waves while `act` runs. Before and after, answers are not delayed. */
  readonly during: (act: () => Promise<unknown>) => Promise<number>;
}

/**
 * A wave passes when the server has been silent for this long: by then, everything that does not depend on an earlier
 * answer has been sent.
 */
const QUIET_MS = 20;

/** Listens on a free port of this machine and forwards to another port. */
export async function countRoundTrips(targetPort: number): Promise<RoundTrips> {
  let held: (() => void)[] = [];
  let count = 0;
  let isCounting = false;
  let timer: NodeJS.Timeout | undefined;

  function letGo(): void {
    count += 1;
    for (const pass of held.splice(0)) {
      pass();
    }
  }

  function take(pass: () => void): void {
    held.push(pass);
    clearTimeout(timer);
    timer = setTimeout(letGo, isCounting ? QUIET_MS : 0);
  }

  const proxy = await openTcpProxy(targetPort, (near, far) => {
    near.pipe(far);
    far.on("data", (bytes) => take(() => near.write(bytes)));
  });
  return {
    port: proxy.port,
    async during(act) {
      // Work that follows an answer, such as storing a choice, is over when nothing has arrived for a while.
      let last = -1;
      while (last !== count) {
        last = count;
        await new Promise((resolve) => setTimeout(resolve, 3 * QUIET_MS));
      }
      isCounting = true;
      await act();
      isCounting = false;
      return count - last;
    },
    async [Symbol.asyncDispose]() {
      held = [];
      await proxy[Symbol.asyncDispose]();
    },
  };
}
