import { describe, expect, test } from "vitest";
import { recognisePicture } from "../../src/render/picture-tools.ts";

const latin1 = (text: string) => Buffer.from(text, "latin1");
/** The start of a HEIF file: its major brand, a version, and its compatible brands. */
const heif = (...[major, ...others]: readonly string[]) =>
  latin1(`\0\0\0${String.fromCharCode(16 + others.length * 4)}ftyp${major}\0\0\0\0${others.join("")}`);

describe("a picture type", () => {
  test.each([
    ["jpeg", latin1("\xff\xd8\xff\xe0")],
    ["png", latin1("\x89PNG\r\n\x1a\n")],
    ["gif", latin1("GIF89a")],
    ["webp", latin1("RIFF\0\0\0\0WEBPVP8 ")],
    ["avif", heif("avif", "mif1", "miaf")],
    ["avif", heif("mif1", "avif", "miaf")],
    ["avif", heif("avis", "avif", "msf1")],
  ] as const)("%s is recognised by the first bytes", (type, bytes) => {
    expect(recognisePicture(bytes)).toBe(type);
  });
});

describe("the first bytes of a refused file", () => {
  test.each([
    ["heic", heif("heic", "mif1", "heic")],
    ["heic", heif("mif1", "heic")],
    ["heic", heif("msf1", "hevc")],
    ["not-a-picture", heif("avis", "msf1", "miaf")],
    ["not-a-picture", heif("isom", "mp42")],
    ["not-a-picture", latin1("RIFF\0\0\0\0WAVEfmt ")],
    ["not-a-picture", latin1("\xff\xd8")],
    ["not-a-picture", latin1("<!doctype html><html><svg></svg></html>")],
    ["not-a-picture", latin1("I wrote <svg> in here")],
    ["drawing", latin1('<?xml version="1.0"?>\n<!-- made by hand -->\n<svg xmlns="x">')],
    ["drawing", Buffer.from('\uFEFF  <svg width="1">')],
    ["drawing", Buffer.from('\uFEFF<svg width="1">', "utf16le")],
    ["drawing", latin1("%!PS-Adobe-3.0 EPSF-3.0")],
  ])("are reported as the problem %s", (problem, bytes) => {
    expect(() => recognisePicture(bytes)).toThrow(expect.objectContaining({ name: "PictureError", problem }));
  });
});
