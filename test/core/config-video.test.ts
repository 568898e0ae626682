import { expect, test } from "vitest";
import { listSecrets, readConfig } from "../../src/core/config.ts";
import type { Environment } from "../../src/core/environment.ts";

const read = (environment: Environment) =>
  readConfig({ DISCORD_TOKEN: "a-token-of-the-test", ...environment });

const KEY = Buffer.alloc(32, 0xfb).toString("base64");

test("reads the operator's account, with the public service's address by default", () => {
  const config = read({ VIDEO_ACCESS_TOKEN: "a-video-token", VIDEO_GUILDS: "*" });
  expect(config.video).toEqual({
    baseUrl: new URL("https://graph.facebook.com"),
    version: "v26.0",
    accessToken: "a-video-token",
    guilds: "*",
    tokenIn: "header",
    upload: "auto",
  });
  expect(config.secretKeys).toEqual([]);
  expect(listSecrets(config)).toContain("a-video-token");
});

test("reads every variable", () => {
  const config = read({
    VIDEO_API_BASE_URL: "http://127.0.0.1:8083/api/",
    VIDEO_API_VERSION: "v3.11",
    VIDEO_ACCESS_TOKEN: "a-video-token",
    VIDEO_GUILDS: "794354201395200001, 794354201399394305",
    VIDEO_APP_SECRET: "an-app-secret",
    VIDEO_TOKEN_IN: "field",
    VIDEO_UPLOAD: "simple",
    SECRET_KEY: KEY,
  });
  expect(config.video).toEqual({
    baseUrl: new URL("http://127.0.0.1:8083/api"),
    version: "v3.11",
    accessToken: "a-video-token",
    guilds: ["794354201395200001", "794354201399394305"],
    appSecret: "an-app-secret",
    tokenIn: "field",
    upload: "simple",
  });
  expect(Buffer.from(config.secretKeys[0] ?? []).toString("base64")).toBe(KEY);
  expect(listSecrets(config)).toEqual(
    expect.arrayContaining([
      "a-video-token",
      "an-app-secret",
      KEY,
      Buffer.from(KEY, "base64").toString("base64url"),
    ]),
  );
});

test("needs only a key for servers' own accounts, and has no videos without key or token", () => {
  expect(read({ SECRET_KEY: KEY }).video).toMatchObject({ accessToken: undefined });
  expect(read({ VIDEO_APP_SECRET: "an-app-secret" }).video).toBeUndefined();
});

test("lists old keys after the current one, and all of them as secrets", () => {
  const former = Buffer.alloc(32, 1).toString("base64");
  const config = read({ SECRET_KEY: KEY, SECRET_KEY_OLD: former });
  expect(config.secretKeys.map((key) => Buffer.from(key).toString("base64"))).toEqual([KEY, former]);
  expect(listSecrets(config)).toEqual(expect.arrayContaining([KEY, former]));
});

test("lets every allowed server publish with the operator's account by default", () => {
  const token = { VIDEO_ACCESS_TOKEN: "a-video-token", ALLOWED_GUILDS: "794354201395200001" };
  expect(read(token).video?.guilds).toEqual(["794354201395200001"]);
  expect(read({ ...token, VIDEO_GUILDS: "794354201399394305" }).video?.guilds).toEqual([
    "794354201399394305",
  ]);
});

test.each([
  [{ VIDEO_ACCESS_TOKEN: "a-video-token" }, /^VIDEO_GUILDS is missing\./],
  [{ VIDEO_ACCESS_TOKEN: "a-video-token", ALLOWED_GUILDS: "*" }, /^VIDEO_GUILDS is missing\./],
  [{ SECRET_KEY_OLD: KEY }, /^SECRET_KEY is missing, but SECRET_KEY_OLD is set\./],
])("refuses %j", (environment, sentence) => {
  expect(() => read(environment)).toThrow(sentence);
});

test.each([
  ["VIDEO_GUILDS", "Platform 9", /^VIDEO_GUILDS must be server ids/],
  ["SECRET_KEY_OLD", "Zm9v", /^SECRET_KEY_OLD must be keys of 32 bytes/],
  ["SECRET_KEY", "Zm9v", /^SECRET_KEY must be 32 bytes in base64/],
  ["SECRET_KEY", "not base64 at all, but with 32 b", /^SECRET_KEY must be 32 bytes in base64/],
  ["VIDEO_API_VERSION", "27.0", /^VIDEO_API_VERSION must be a version beginning with v/],
  ["VIDEO_API_VERSION", "v26.0/../x", /^VIDEO_API_VERSION must be a version beginning with v/],
  ["VIDEO_TOKEN_IN", "query", /^VIDEO_TOKEN_IN must be one of header, field/],
  ["VIDEO_UPLOAD", "fast", /^VIDEO_UPLOAD must be one of auto, simple, chunked/],
])("refuses %s %j without repeating it", (name, value, problem) => {
  expect(() => read({ [name]: value })).toThrow(problem);
  expect(() => read({ [name]: value })).not.toThrow(value);
});
