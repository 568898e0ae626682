import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sniffVideo } from "../../../src/videos/publishing/draft-videos.ts";

const text = (words: string): Uint8Array => Buffer.from(words.padEnd(200, "\0"), "latin1");

describe("the first bytes of a file", () => {
  it.each([
    ["mp4", "\0\0\0\x18ftypisom", "video/mp4"],
    ["mp4 of a camera", "\0\0\0\x18ftypmp42", "video/mp4"],
    ["mov", "\0\0\0\x14ftypqt  ", "video/quicktime"],
    ["an old mov", "\0\0\0\x08wide\0\0\0\0mdat", "video/quicktime"],
    ["3gp", "\0\0\0\x18ftyp3gp5", "video/3gpp"],
    ["webm", "\x1a\x45\xdf\xa3\x9f\x42\x86\x81\x01\x42\x82\x84webm", "video/webm"],
    ["mkv", "\x1a\x45\xdf\xa3\x9f\x42\x86\x81\x01\x42\x82\x88matroska", "video/x-matroska"],
    ["avi", "RIFF\x10\0\0\0AVI LIST", "video/x-msvideo"],
    ["wmv", "\x30\x26\xb2\x75\x8e\x66\xcf\x11", "video/x-ms-wmv"],
    ["mpg", "\0\0\x01\xba", "video/mpeg"],
    ["flv", "FLV\x01\x05", "video/x-flv"],
    ["ogv", `OggS${"\0".repeat(24)}\x80theora`, "video/ogg"],
  ])("identify %s", (_what, words, type) => {
    expect(sniffVideo(text(words))).toBe(type);
  });

  it("identify a transport stream, with or without timestamps before its packets", () => {
    const packets = (first: number, every: number): Uint8Array => {
      const bytes = new Uint8Array(2_000);
      for (let at = first; at < bytes.length; at += every) {
        bytes[at] = 0x47;
      }
      return bytes;
    };
    expect(sniffVideo(packets(0, 188))).toBe("video/mp2t");
    expect(sniffVideo(packets(4, 192))).toBe("video/mp2t");
  });

  it.each([
    ["png", "\x89PNG\r\n\x1a\n"],
    ["jpeg", "\xff\xd8\xff\xe0"],
    ["gif", "GIF89a"],
    ["webp", "RIFF\x10\0\0\0WEBPVP8 "],
    ["wav", "RIFF\x10\0\0\0WAVEfmt "],
    ["heic", "\0\0\0\x18ftypheic"],
    ["avif", "\0\0\0\x18ftypavif"],
    ["m4a", "\0\0\0\x18ftypM4A "],
    ["ogg with sound", `OggS${"\0".repeat(24)}\x01vorbis`],
    ["pdf", "%PDF-1.7"],
    ["a text", "Dear all, here is the video"],
    ["zip", "PK\x03\x04"],
    ["nothing", ""],
  ])("identify no video: %s", (_what, words) => {
    expect(sniffVideo(text(words))).toBeUndefined();
  });

  it("never cause an error", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
        expect([undefined, "string"]).toContain(sniffVideo(bytes) && "string");
      }),
    );
  });
});
