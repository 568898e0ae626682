import { once } from "node:events";
import { createServer } from "node:http";
import { randomInt } from "node:crypto";

/** Below the ports that Linux assigns to connections: another test might get the port just found. */
const [LOWEST, HIGHEST] = [15_000, 32_000];

/** Finds an unused port, for a program that needs a port number. */
export async function freePort(): Promise<number> {
  const port = randomInt(LOWEST, HIGHEST);
  const server = createServer().listen(port, "127.0.0.1");
  try {
    await once(server, "listening");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EADDRINUSE") {
      return freePort();
    }
    throw error;
  }
  server.close();
  await once(server, "close");
  return port;
}
