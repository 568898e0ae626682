import { once } from "node:events";
import { connect } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { createHttp } from "../../src/core/http.ts";
import { createLog } from "../../src/core/log.ts";
import {
  RefusedUrlError,
  type ResolveAddresses,
  checkReturnedUrl,
  createPublicLookup,
  isPublicAddress,
} from "../../src/core/url-guard.ts";
import { createStillClock } from "../support/still-clock.ts";
import { startStub } from "../support/stub-server.ts";

const OWN = "https://style.example.org";

describe("isPublicAddress", () => {
  test.each([
    "8.8.8.8",
    "93.184.216.34",
    "172.32.0.1",
    "100.128.0.1",
    "2606:4700::1111",
    "2a00:1450:4009::200e",
  ])("accepts %s", (address) => expect(isPublicAddress(address)).toBe(true));

  test.each([
    ["unspecified", "0.0.0.0"],
    ["this network", "0.1.2.3"],
    ["loopback", "127.0.0.1"],
    ["loopback, another", "127.255.0.9"],
    ["private", "10.0.0.1"],
    ["private", "172.16.0.1"],
    ["private", "192.168.1.1"],
    ["carrier", "100.64.0.1"],
    ["cloud metadata", "169.254.169.254"],
    ["documentation", "192.0.2.1"],
    ["benchmarking", "198.18.0.1"],
    ["multicast", "224.0.0.1"],
    ["reserved", "240.0.0.1"],
    ["broadcast", "255.255.255.255"],
    ["unspecified", "::"],
    ["loopback", "::1"],
    ["unique local", "fc00::1"],
    ["unique local, cloud metadata", "fd00:ec2::254"],
    ["link local", "fe80::1"],
    ["link local with a zone", "fe80::1%eth0"],
    ["site local", "fec0::1"],
    ["multicast", "ff02::1"],
    ["mapped loopback", "::ffff:127.0.0.1"],
    ["mapped loopback in hex", "::ffff:7f00:1"],
    ["mapped public", "::ffff:8.8.8.8"],
    ["compatible loopback", "::127.0.0.1"],
    ["NAT64 of metadata", "64:ff9b::a9fe:a9fe"],
    ["local NAT64", "64:ff9b:1::a9fe:a9fe"],
    ["6to4 of loopback", "2002:7f00:1::"],
    ["Teredo", "2001:0:7f00:1::"],
    ["documentation", "2001:db8::1"],
    ["no address", "localhost"],
    ["nothing", ""],
  ])("refuses %s: %s", (_what, address) => expect(isPublicAddress(address)).toBe(false));
});

describe("checkReturnedUrl", () => {
  test.each([
    [`${OWN}/results/1.png`, OWN, "own"],
    ["http://127.0.0.1:8080/r", "http://127.0.0.1:8080", "own"],
    ["https://cdn.example.org/r", OWN, "public"],
    ["https://cdn.example.org:8443/r", OWN, "public"],
    ["https://8.8.8.8/r", OWN, "public"],
    ["https://[2606:4700::1111]/r", OWN, "public"],
  ])("accepts %s from the service at %s as %s", (url, own, expected) => {
    expect(checkReturnedUrl(new URL(url), own)).toBe(expected);
  });

  test.each([
    ["http elsewhere", "http://cdn.example.org/r"],
    ["its own host over http", "http://style.example.org/r"],
    ["another scheme", "file:///etc/passwd"],
    ["another scheme", "data:text/plain,x"],
    ["credentials elsewhere", "https://user@cdn.example.org/r"],
    ["credentials on its own host", "https://user:pass@style.example.org/r"],
    ["a private address", "https://192.168.0.1/r"],
    ["a private address on another port", "https://127.0.0.1:8443/r"],
    ["an address in decimal", "https://2130706433/r"],
    ["an address in hex", "https://0x7f.1/r"],
    ["an address in octal", "https://0177.0.0.1/r"],
    ["an address with a trailing dot", "https://127.0.0.1./r"],
    ["an IPv6 address", "https://[::1]/r"],
    ["a mapped IPv6 address", "https://[::ffff:169.254.169.254]/r"],
  ])("refuses %s", (_what, url) => {
    expect(() => checkReturnedUrl(new URL(url), OWN)).toThrow(RefusedUrlError);
  });
});

describe("createPublicLookup", () => {
  // A socket that is bound to the loopback interface cannot reach a public address, so nothing leaves the machine.
  async function connectThrough(resolve: ResolveAddresses, port: number): Promise<unknown> {
    const socket = connect({
      host: "cdn.test",
      port,
      lookup: createPublicLookup(resolve),
      localAddress: "127.0.0.1",
    });
    onTestFinished(() => void socket.destroy());
    return once(socket, "connect").then(
      () => "connected",
      (error: unknown) => error,
    );
  }

  test("connects to the address that it checked, so DNS rebinding has no effect", async () => {
    await using inside = await startStub((_request, response) => response.end());
    const port = Number(inside.url.port);
    const answers = ["203.1.113.7", "127.0.0.1"];
    let asked = 0;
    const rebinding: ResolveAddresses = async () => [answers[Math.min(asked++, 1)] ?? ""];

    expect(await connectThrough(rebinding, port)).toMatchObject({
      syscall: "connect",
      address: "203.1.113.7",
    });
    expect(asked).toBe(1);
    expect(await connectThrough(rebinding, port)).toBeInstanceOf(RefusedUrlError);
    expect(inside.connections()).toBe(0);
  });

  test("refuses a name with a private address among public ones", async () => {
    const mixed: ResolveAddresses = async () => ["8.8.8.8", "2606:4700::1111", "10.0.0.1"];
    expect(await connectThrough(mixed, 443)).toBeInstanceOf(RefusedUrlError);
  });

  test("refuses a name without an address", async () => {
    expect(await connectThrough(async () => [], 443)).toBeInstanceOf(RefusedUrlError);
  });

  test("passes on the error of a failed look-up", async () => {
    const error = Object.assign(new Error("no such host"), { code: "ENOTFOUND" });
    expect(await connectThrough(() => Promise.reject(error), 443)).toBe(error);
  });

  test("gives one address to a caller that asks for one", async () => {
    const lookup = createPublicLookup(async () => ["2606:4700::1111", "8.8.8.8"]);
    const found = new Promise((resolve) => {
      lookup("cdn.test", {}, (error, address, family) => resolve({ error, address, family }));
    });
    expect(await found).toEqual({ error: null, address: "2606:4700::1111", family: 6 });
  });
});

describe("a guarded request", () => {
  function openHttp(resolve: ResolveAddresses) {
    const clock = createStillClock();
    const http = createHttp({
      clock,
      log: createLog({ level: "silent", secrets: [] }),
      random: () => 1,
      resolve,
    });
    onTestFinished(() => http.close());
    const fetchResult = (url: URL, ownOrigin: string) =>
      http.request({
        service: "style",
        verb: "result",
        method: "GET",
        url,
        timeoutMs: 5_000,
        maxBytes: 100,
        guard: { ownOrigin },
      });
    return { clock, fetchResult };
  }

  test("reaches the service's own origin, even at a private address", async () => {
    await using stub = await startStub((_request, response) => response.end("picture"));
    const { fetchResult } = openHttp(() => Promise.reject(new Error("not asked")));
    await expect(fetchResult(new URL("/r", stub.url), stub.url.origin)).resolves.toMatchObject({
      status: 200,
    });
  });

  test("is refused without a connection or a retry if the name has a private address", async () => {
    await using inside = await startStub((_request, response) => response.end());
    let asked = 0;
    const { clock, fetchResult } = openHttp(async () => {
      asked += 1;
      return ["127.0.0.1"];
    });
    const url = new URL(`https://hunter2.test:${inside.url.port}/hunter2`);
    const error: unknown = await fetchResult(url, OWN).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ kind: "unexpected-answer", service: "style" });
    expect(String(error)).not.toContain("hunter2");
    expect([asked, inside.connections(), clock.waits()]).toEqual([1, 0, []]);
  });

  test("is refused if the URL has a private address", async () => {
    await using inside = await startStub((_request, response) => response.end());
    const { fetchResult } = openHttp(async () => ["8.8.8.8"]);
    const url = new URL(`https://127.0.0.1:${inside.url.port}/`);
    await expect(fetchResult(url, OWN)).rejects.toMatchObject({ kind: "unexpected-answer" });
    expect(inside.connections()).toBe(0);
  });

  test("is retried and then unavailable if the name cannot be looked up", async () => {
    let asked = 0;
    const { clock, fetchResult } = openHttp(() => {
      asked += 1;
      return Promise.reject(Object.assign(new Error("try again"), { code: "EAI_AGAIN" }));
    });
    const result = fetchResult(new URL("https://cdn.test/r"), OWN);
    await expect.poll(() => clock.waits()).toEqual([250]);
    clock.advance(250);
    await expect.poll(() => clock.waits()).toEqual([500]);
    clock.advance(500);
    await expect(result).rejects.toMatchObject({ kind: "unavailable" });
    expect(asked).toBe(3);
  });
});
