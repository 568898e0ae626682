import { Readable } from "node:stream";
import { describe, expect, onTestFinished, test } from "vitest";
import { UserError } from "../../src/core/errors.ts";
import { createHttp } from "../../src/core/http.ts";
import { createLog } from "../../src/core/log.ts";
import { createAttachments } from "../../src/core/attachments.ts";
import { openDiscord } from "../sandbox/discord/open-client.ts";
import { createStillClock } from "../support/still-clock.ts";
import { startStub } from "../support/stub-server.ts";

function openFetcher(...hosts: readonly string[]) {
  const clock = createStillClock();
  const http = createHttp({ clock, log: createLog({ level: "silent", secrets: [] }), random: () => 0 });
  onTestFinished(() => http.close());
  return { clock, fetcher: createAttachments({ http, hosts, clock }) };
}

const picture = { sizeBytes: 10 };
const limits = { maxBytes: 1_048_576 };

describe("an attachment on the sandbox's Discord", () => {
  async function upload() {
    const { discord, clock } = await openDiscord();
    onTestFinished(async () => {
      await discord.close();
      clock.stop();
    });
    const { general } = discord.community.channels;
    const posted = await discord
      .member("Ada")
      .attach(general, "", [{ name: "me.png", bytes: Buffer.from("0123456789") }]);
    const url = posted.attachments[0]?.url ?? "";
    return { ...openFetcher(new URL(url).host), attachment: { url, sizeBytes: 10 }, clock };
  }

  test("is downloaded whole", async () => {
    const { fetcher, attachment } = await upload();
    expect(Buffer.from(await fetcher.fetch(attachment, limits)).toString()).toBe("0123456789");
  });

  test("asks the person to attach it again after its link has expired", async () => {
    const { fetcher, attachment, clock } = await upload();
    await clock.advance(24 * 3_600_000);
    await expect(fetcher.fetch(attachment, limits)).rejects.toThrow(
      new UserError("The link to that file has expired. Please attach it again."),
    );
  });
});

describe("a link", () => {
  test.each([
    "https://cdn.discordapp.com.example.org/attachments/1/2/me.png",
    "https://cdn.discordapp.com:444/attachments/1/2/me.png",
    "https://someone@cdn.discordapp.com/attachments/1/2/me.png",
    "http://cdn.discordapp.com/attachments/1/2/me.png",
    "http://169.254.169.254/latest/meta-data",
    "file:///etc/passwd",
    "not a link",
  ])("to %s is not followed", async (url) => {
    const { fetcher } = openFetcher("cdn.discordapp.com");
    await expect(fetcher.fetch({ ...picture, url }, limits)).rejects.toThrow(UserError);
  });

  test("that redirects elsewhere is not followed there", async () => {
    await using elsewhere = await startStub((_request, response) => response.end("you should not be here"));
    await using stub = await startStub((_request, response) => {
      response.writeHead(302, { location: elsewhere.url.href }).end();
    });
    const { fetcher } = openFetcher(stub.url.host, elsewhere.url.host);
    await expect(fetcher.fetch({ ...picture, url: stub.url.href }, limits)).rejects.toMatchObject({
      service: "discord",
      kind: "unavailable",
      status: 302,
    });
    expect(elsewhere.seen).toEqual([]);
  });

  test.each([403, 404])("that is answered with %i counts as expired", async (status) => {
    await using stub = await startStub((_request, response) => response.writeHead(status).end());
    const { fetcher } = openFetcher(stub.url.host);
    await expect(fetcher.fetch({ ...picture, url: stub.url.href }, limits)).rejects.toThrow(/expired/);
    expect(stub.seen).toHaveLength(1);
  });

  test("that is answered with 429 fails with the time to wait", async () => {
    await using stub = await startStub((_request, response) =>
      response.writeHead(429, { "retry-after": "60" }).end(),
    );
    const { fetcher } = openFetcher(stub.url.host);
    await expect(fetcher.fetch({ ...picture, url: stub.url.href }, limits)).rejects.toMatchObject({
      service: "discord",
      kind: "rate-limited",
      retryAfterMs: 60_000,
    });
  });
});

describe("a file that is too large", () => {
  test("is not fetched if its announced size is over the limit, and the error names the limit", async () => {
    await using stub = await startStub((_request, response) => response.end());
    const { fetcher } = openFetcher(stub.url.host);
    const asked = fetcher.fetch(
      { url: stub.url.href, sizeBytes: 20 * 1_048_576 + 1 },
      { maxBytes: 20 * 1_048_576 },
    );
    await expect(asked).rejects.toThrow(
      new UserError("That file is 20.1 MB; I can take up to 20 MB. Please attach a smaller one."),
    );
    expect(stub.connections()).toBe(0);
  });

  test("is read only up to the limit if it never ends, whatever size was announced", async () => {
    await using stub = await startStub((_request, response) => {
      Readable.from(endless()).pipe(response);
    });
    const { fetcher } = openFetcher(stub.url.host);
    await expect(fetcher.fetch({ ...picture, url: stub.url.href }, limits)).rejects.toThrow(
      /^That file is too large; I can take up to 1 MB/,
    );
  });

  function* endless() {
    for (;;) {
      yield Buffer.alloc(65_536);
    }
  }
});

test("a fetch times out after 15 seconds without an answer", async () => {
  await using stub = await startStub(() => {});
  const { fetcher, clock } = openFetcher(stub.url.host);
  const asked = fetcher.fetch({ ...picture, url: stub.url.href }, limits);
  await expect.poll(() => stub.seen.length).toBe(1);
  clock.advance(15_000);
  await expect(asked).rejects.toMatchObject({ service: "discord", kind: "timeout" });
});

test("a fetch can be aborted", async () => {
  await using stub = await startStub(() => {});
  const { fetcher } = openFetcher(stub.url.host);
  const controller = new AbortController();
  const asked = fetcher.fetch({ ...picture, url: stub.url.href }, { ...limits, signal: controller.signal });
  await expect.poll(() => stub.seen.length).toBe(1);
  controller.abort();
  await expect(asked).rejects.toMatchObject({ kind: "aborted" });
});
