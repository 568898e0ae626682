// Puts coded pictures into an MP4 file (ISO/IEC 14496-12 and -15): what is in it first, then the pictures.
import { PROFILE } from "./h264.ts";

export interface Track {
  /** In pixels. */
  readonly width: number;
  readonly height: number;
  readonly picturesPerSecond: number;
  /** As formatSequence and formatPictures give them. */
  readonly sequence: Uint8Array;
  readonly pictures: Uint8Array;
  /** The first is whole, all others build on it. */
  readonly samples: readonly Uint8Array[];
}

type Part = Uint8Array | string | readonly number[];

/** Three rows of a matrix that moves nothing. */
const UNMOVED = [0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000].flatMap(u32);

export function formatMp4(track: Track): Uint8Array {
  const samples = track.samples.map((unit) => Buffer.concat([Buffer.from(u32(unit.byteLength)), unit]));
  const type = box("ftyp", "isom", u32(512), "isomiso2avc1mp41");
  const moov = (offset: number) => formatMovie(track, samples, offset);
  // What stands in it does not change its length.
  const offset = type.byteLength + moov(0).byteLength + 8;
  return Buffer.concat([type, moov(offset), box("mdat", ...samples)]);
}

function formatMovie(track: Track, samples: readonly Uint8Array[], offset: number): Buffer {
  const { width, height, picturesPerSecond } = track;
  const count = samples.length;
  const times = [0, 0, picturesPerSecond, count].flatMap(u32);
  const data = box("dinf", fullBox("dref", u32(1), fullBoxWith(1, "url ")));
  const table = box(
    "stbl",
    fullBox("stsd", u32(1), formatEntry(track)),
    fullBox("stts", [1, count, 1].flatMap(u32)),
    fullBox("stss", [1, 1].flatMap(u32)),
    fullBox("stsc", [1, 1, count, 1].flatMap(u32)),
    fullBox("stsz", [0, count, ...samples.map(({ byteLength }) => byteLength)].flatMap(u32)),
    fullBox("stco", [1, offset].flatMap(u32)),
  );
  const media = box(
    "mdia",
    fullBox("mdhd", times, [0x55, 0xc4, 0, 0]),
    fullBox("hdlr", u32(0), "vide", zeros(12), "film", [0]),
    box("minf", fullBoxWith(1, "vmhd", zeros(8)), data, table),
  );
  return box(
    "moov",
    fullBox("mvhd", times, u32(0x10000), [1, 0], zeros(10), UNMOVED, zeros(24), u32(2)),
    box(
      "trak",
      fullBoxWith(
        3,
        "tkhd",
        [0, 0, 1, 0, count].flatMap(u32),
        zeros(16),
        UNMOVED,
        [width << 16, height << 16].flatMap(u32),
      ),
      media,
    ),
  );
}

/** How the pictures are coded. */
function formatEntry({ width, height, sequence, pictures }: Track): Buffer {
  const configuration = box(
    "avcC",
    [1, ...PROFILE, 0xff, 0xe1, ...u16(sequence.byteLength)],
    sequence,
    [1, ...u16(pictures.byteLength)],
    pictures,
  );
  const resolution = [0x480000, 0x480000, 0].flatMap(u32);
  return box(
    "avc1",
    zeros(6),
    u16(1),
    zeros(16),
    [...u16(width), ...u16(height)],
    resolution,
    u16(1),
    zeros(32),
    [0, 0x18, 0xff, 0xff],
    configuration,
  );
}

function box(name: string, ...parts: readonly Part[]): Buffer {
  const body = Buffer.concat(
    [name, ...parts].map((part) =>
      typeof part === "string" ? Buffer.from(part, "latin1") : Uint8Array.from(part),
    ),
  );
  return Buffer.concat([Buffer.from(u32(body.byteLength + 4)), body]);
}

function fullBox(name: string, ...parts: readonly Part[]): Buffer {
  return fullBoxWith(0, name, ...parts);
}

/** With flags; of version 0. */
function fullBoxWith(flags: number, name: string, ...parts: readonly Part[]): Buffer {
  return box(name, u32(flags), ...parts);
}

function u32(value: number): number[] {
  return [value >>> 24, (value >>> 16) & 0xff, (value >>> 8) & 0xff, value & 0xff];
}

function u16(value: number): number[] {
  return [(value >>> 8) & 0xff, value & 0xff];
}

function zeros(count: number): number[] {
  return Array.from({ length: count }, () => 0);
}
