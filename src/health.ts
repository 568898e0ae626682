// Tells whoever watches the process whether it works: GET /health.
import { createServer } from "node:http";
import { once } from "node:events";
import { ConfigError } from "./core/errors.ts";

/** What is told. `ok` decides between 200 and 503. */
export interface Health {
  readonly ok: boolean;
  readonly [detail: string]: unknown;
}

export interface HealthServer {
  readonly port: number;
  close(): Promise<void>;
}

/** Answers on all interfaces, since it is asked from outside its container. Throws a ConfigError for a port it cannot have. */
export async function startHealthServer(port: number, read: () => Health): Promise<HealthServer> {
  const server = createServer((request, response) => {
    const path = request.url?.split("?")[0];
    if (path !== "/health" || (request.method !== "GET" && request.method !== "HEAD")) {
      response.writeHead(404).end();
      return;
    }
    const { ok, ...details } = read();
    response
      .writeHead(ok ? 200 : 503, { "content-type": "application/json", "cache-control": "no-store" })
      .end(
        request.method === "HEAD" ? "" : JSON.stringify({ status: ok ? "ok" : "unavailable", ...details }),
      );
  });
  server.listen(port);
  try {
    await once(server, "listening");
  } catch (error) {
    throw explainListening(error);
  }
  const address = server.address();
  return {
    port: typeof address === "object" && address ? address.port : port,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

function explainListening(error: unknown): unknown {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "EADDRINUSE") {
    return new ConfigError(["HTTP_PORT is in use by another program. Choose another port, or leave it out."]);
  }
  return code === "EACCES"
    ? new ConfigError(["HTTP_PORT is one that this system keeps for itself. Choose one above 1023."])
    : error;
}
