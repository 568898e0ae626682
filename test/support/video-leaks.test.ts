// Checks that the search for leaks finds leaks.
import { createHmac } from "node:crypto";
import { expect, it } from "vitest";
import { findLeaks } from "./video-leaks.ts";

const KEY = Buffer.from("a key of bytes, some of them ÿþ?>");
const TOKENS = {
  page: "EAAPage/0123456789+abc",
  secondPage: "EAASecond0123456789",
  person: "EAAPerson0123456789",
  expired: "EAAExpired0123456789",
  readOnly: "EAAReadOnly0123456789",
  otherApp: "EAAOther0123456789",
};
const WORLD = {
  env: { SECRET_KEY: KEY.toString("base64"), DISCORD_TOKEN: "bots.own.token" },
  video: { tokens: TOKENS, appSecret: "the application's own secret" },
};

const proof = createHmac("sha256", WORLD.video.appSecret).update(TOKENS.page).digest("hex");

it.each([
  ["a token", TOKENS.page],
  ["a token in an address", encodeURIComponent(TOKENS.page)],
  ["a token in hexadecimal", Buffer.from(TOKENS.secondPage).toString("hex")],
  ["a proof", proof],
  ["the application's secret in base64", Buffer.from(WORLD.video.appSecret).toString("base64")],
  ["the key as it is set", KEY.toString("base64")],
  ["the key for addresses", KEY.toString("base64url")],
  ["the key in hexadecimal", KEY.toString("hex")],
  ["the key's own bytes", KEY.toString("latin1")],
  ["the bot's token", "bots.own.token"],
])("finds %s without repeating it", (_, secret) => {
  const leaks = findLeaks(WORLD, { log: `before ${secret} after`, messages: "nothing" });
  expect(leaks.length).toBeGreaterThan(0);
  expect(leaks.join("\n")).toMatch(/is in log/);
  expect(leaks.join("\n")).not.toMatch(/is in messages/);
  expect(leaks.join("\n")).not.toContain(secret);
});

it("finds nothing in texts without secrets", () => {
  expect(findLeaks(WORLD, { log: "a quiet day", messages: "" })).toEqual([]);
});
