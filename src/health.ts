// Tells whoever watches the process whether it works, and what it did: GET /health, GET /metrics.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { once } from "node:events";
import { ConfigError } from "./core/errors.ts";

/** What is told. `ok` decides between 200 and 503. */
export interface Health {
  readonly ok: boolean;
  readonly [detail: string]: unknown;
}

/** What is counted, as Prometheus reads it. */
export interface CountedWork {
  readonly contentType: string;
  readonly text: string;
}

export interface HealthServer {
  readonly port: number;
  close(): Promise<void>;
}

/** What the server tells, read anew each time. */
export interface HealthSources {
  readonly health: () => Health;
  readonly metrics: () => Promise<CountedWork>;
}

interface Page {
  readonly status: number;
  readonly contentType: string;
  readonly text: string;
}

/** Answers on all interfaces, since it is asked from outside its container. Throws a ConfigError for a port it cannot have. */
export async function startHealthServer(port: number, sources: HealthSources): Promise<HealthServer> {
  const pages = new Map<string, () => Page | Promise<Page>>([
    ["/health", () => healthPage(sources.health())],
    ["/metrics", async () => ({ status: 200, ...(await sources.metrics()) })],
  ]);
  async function answer({ url, method }: IncomingMessage, response: ServerResponse): Promise<void> {
    const page = pages.get(url?.split("?")[0] ?? "");
    if (page === undefined || (method !== "GET" && method !== "HEAD")) {
      response.writeHead(404).end();
      return;
    }
    const { status, contentType, text } = await page();
    response
      .writeHead(status, { "content-type": contentType, "cache-control": "no-store" })
      .end(method === "HEAD" ? "" : text);
  }

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.writeHead(500).end());
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

function healthPage({ ok, ...details }: Health): Page {
  return {
    status: ok ? 200 : 503,
    contentType: "application/json",
    text: JSON.stringify({ status: ok ? "ok" : "unavailable", ...details }),
  };
}

function explainListening(error: unknown): unknown {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "EADDRINUSE") {
    const sentence = "HTTP_PORT is in use by another program. Choose another port, or leave it out.";
    return new ConfigError([sentence], { mayPass: true });
  }
  return code === "EACCES"
    ? new ConfigError(["HTTP_PORT is one that this system keeps for itself. Choose one above 1023."])
    : error;
}
