import { describe, expect, it } from "vitest";
import { fileTypeOf } from "../../../src/discord/message-dispatch/message-event.ts";

describe("the type of a file", () => {
  it.each([
    ["a.png", "image/png", "image"],
    ["a.bin", "image/heic", "image"],
    ["a.mp4", "video/mp4", "video"],
    ["A.JPEG", undefined, "image"],
    ["a.webm", "application/octet-stream", "video"],
    ["a.png", "text/plain; charset=utf-8", undefined],
    ["voice-message.ogg", "audio/ogg", undefined],
    ["png", undefined, undefined],
    ["a.png.exe", undefined, undefined],
  ])("of %s with Discord's content type %s is %s", (name, contentType, type) => {
    expect(fileTypeOf({ name, contentType })).toBe(type);
  });
});
