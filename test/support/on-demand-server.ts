// What a whole test run shares, and starts when the first test asks for it: others do not pay for it.
import { createServer } from "node:http";
import { listen } from "../../sandbox/http/listen.ts";

/** What was started behind a door. */
export interface Started {
  /** What those who ask are told. */
  readonly answer: string;
  stop(): Promise<void>;
}

/** For vitest's `globalSetup`: it costs nothing until somebody comes. */
export interface OnDemandServer {
  /** Answers with what was started, or with 503 and why there is nothing. */
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
