// An HTTP server for something that a whole test run shares. It is started when the first test asks for it, so that
// other runs do not pay for it.
import { createServer } from "node:http";
import { listen } from "../../sandbox/http/listen.ts";

/** A shared resource that has started. */
export interface Started {
  /** The response body for those who ask. */
  readonly answer: string;
  stop(): Promise<void>;
}

/** A server for vitest's `globalSetup`, which starts nothing until somebody asks. */
export interface OnDemandServer {
  /** An address that answers with `answer`, or with 503 and the error. */
  readonly url: string;
  close(): Promise<void>;
}

export async function openOnDemandServer(start: () => Promise<Started>): Promise<OnDemandServer> {
  let starting: Promise<Started> | undefined;
  const door = createServer((_request, response) => {
    starting ??= start();
    starting.then(
      ({ answer }) => response.end(answer),
      (error: unknown) => response.writeHead(503).end(error instanceof Error ? error.message : String(error)),
    );
  });
  return {
    url: await listen(door, 0),
    async close() {
      door.close();
      const started = await starting?.catch(() => undefined);
      await started?.stop();
    },
  };
}
