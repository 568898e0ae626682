// Encoding and decoding the arguments of components, which must fit into an id.
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { boardSlotArgs } from "../../src/boards/board-post-view.ts";
import { boardIdArgs } from "../../src/boards/board-settings-words.ts";
import {
  type ArgsCodec,
  formatComponentId,
  parseComponentId,
  sizeInId,
} from "../../src/core/component-id.ts";
import { pageArgs } from "../../src/core/pages.ts";
import { restyleArgs, workArgs } from "../../src/pictures/restyle-args.ts";
import { STYLE_WORD } from "../../src/pictures/catalogue.ts";
import { boardArgs, fitsBoardArgs } from "../../src/rail/board-args.ts";
import { timetableArgs } from "../../src/rail/timetable-view.ts";
import { trainMenuArgs } from "../../src/rail/train-view.ts";
import { choosingArgs, formatChoosingArgs, journeyArgs } from "../../src/travel/journey-args.ts";
import { networkArgs } from "../../src/travel/network-view.ts";
import { busArgs, placesArgs, placesTarget } from "../../src/travel/places-args.ts";
import {
  approveArgs,
  draftArgs,
  historyArgs,
  publicationArgs,
  serverArgs,
  commentArgs,
  commentPageArgs,
  fitsCommentArgs,
  listArgs,
  videoArgs,
} from "../../src/videos/video-args.ts";
import { sightingArgs, watchArgs, watchRequestArgs } from "../../src/watches/watch-args.ts";

const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const text = (most: number) => fc.string({ unit: "grapheme", minLength: 1, maxLength: most });
const crs = fc.stringMatching(/^[A-Z]{3}$/);
const shortId = fc.stringMatching(/^[0-9a-z]{8}$/);
const publicationId = fc.stringMatching(/^[\w-]{4,32}$/);
const snowflake = fc.bigInt({ min: 1n, max: 2n ** 64n - 1n }).map(String);
const ms = fc.integer({ min: 0, max: Date.UTC(2083, 0) });
const minute = fc
  .integer({ min: 0, max: Date.UTC(2083, 0) / 60_000 })
  .map((count) => Temporal.Instant.fromEpochMilliseconds(count * 60_000));
const videoId = fc.stringMatching(/^\d{15,20}$/);
const commentId = fc.oneof(
  fc.stringMatching(/^[1-9]\d{14,16}_[1-9]\d{0,5}$/),
  fc.stringMatching(/^[a-z][\w-]{0,20}$/),
);
const after = maybe(fc.stringMatching(/^\w{1,20}$/));
const word = fc.stringMatching(STYLE_WORD);
const point = fc.record({
  latitude: fc.integer({ min: 4_980_000, max: 6_090_000 }).map((value) => value / 100_000),
  longitude: fc.integer({ min: -800_000, max: 190_000 }).map((value) => value / 100_000),
  name: fc.stringMatching(/^[A-Z][a-z]{2,20}$/),
});

interface Case {
  /** The longest command and action with these arguments. */
  readonly route: string;
  readonly codec: ArgsCodec<object>;
  readonly values: fc.Arbitrary<object>;
}

/** `fits` excludes values for which no button is made. */
function argsCase<A extends object>(
  route: string,
  codec: ArgsCodec<A>,
  values: fc.Arbitrary<A>,
  fits: (args: A) => boolean = () => true,
): Case {
  return { route, codec, values: values.filter(fits) };
}

const format = fc.constantFrom("picture" as const, "text" as const);

const CASES = [
  argsCase("board/preview:preview", boardIdArgs, fc.record({ id: shortId })),
  argsCase(
    "board/show:refresh",
    boardSlotArgs,
    fc.record({
      boardId: shortId,
      slotMs: fc.integer({ min: 0, max: Date.UTC(2126, 0) / 60_000 }).map((count) => count * 60_000),
    }),
  ),
  argsCase("board/list:page", pageArgs, fc.record({ page: fc.nat() })),
  argsCase(
    "style/choice:pick",
    restyleArgs,
    fc.record({
      style: fc.constant(undefined),
      blend: maybe(word),
      intensity: fc.integer({ min: 1, max: 100 }),
      isSpoiler: fc.boolean(),
      wasAnimated: fc.boolean(),
      isPrivate: fc.boolean(),
      ownerId: snowflake,
    }),
  ),
  argsCase("style/work:cancel", workArgs, fc.record({ workId: fc.stringMatching(/^[0-9a-f]{12}$/) })),
  argsCase(
    "departures:refresh",
    boardArgs,
    fc.record({
      station: crs,
      via: maybe(crs),
      operator: maybe(text(36)),
      platform: maybe(text(6)),
      rows: fc.integer({ min: 1, max: 10 }),
      format,
      from: maybe(minute),
    }),
    fitsBoardArgs,
  ),
  argsCase(
    "timetable:earlier",
    timetableArgs,
    fc.record({
      station: crs,
      from: minute,
      via: maybe(crs),
      kind: fc.constantFrom("departures", "arrivals"),
      format,
    }),
  ),
  argsCase("departures:train", trainMenuArgs, fc.record({ crs })),
  argsCase(
    "journey:earlier",
    journeyArgs,
    fc.record({
      from: fc.stringMatching(/^[\w :-]{1,27}$/),
      to: fc.stringMatching(/^[\w -]{1,25}$/),
      at: maybe(minute),
      arriveBy: fc.boolean(),
      format,
    }),
  ),
  argsCase(
    "journey:choose",
    choosingArgs,
    fc.record({
      side: fc.constantFrom("from", "to"),
      other: text(60),
      at: maybe(minute),
      arriveBy: fc.boolean(),
      format,
    }),
    (args) => formatChoosingArgs(args) !== undefined,
  ),
  argsCase(
    "network:refresh",
    networkArgs,
    fc.record({
      skip: fc.integer({ min: 0, max: 1_000 }),
      mode: maybe(fc.constantFrom("train", "tube", "tram", "bus", "ferry", "other")),
      operator: maybe(text(36)),
      near: maybe(crs),
    }),
    ({ operator = "" }) => sizeInId(operator) <= 36,
  ),
  argsCase(
    "bus:refresh",
    busArgs,
    fc.record({
      atco: fc.stringMatching(/^[0-9A-Za-z]{4,12}$/),
      skip: fc.integer({ min: 0, max: 500 }),
      format,
    }),
  ),
  argsCase(
    "places:which",
    placesArgs,
    fc.record({
      text: maybe(text(20)),
      near: maybe(point),
      kind: fc.constantFrom(undefined, "train-station", "bus-stop", "tube-station", "tram-stop", "other"),
      page: fc.integer({ min: 1, max: 400 }),
      skip: fc.integer({ min: 0, max: 95 }),
    }),
    (search) => {
      const target = placesTarget("which", search);
      return target !== undefined && target.args?.["n"] === placesArgs.encode(search)["n"];
    },
  ),
  argsCase("video/publication:change", publicationArgs, fc.record({ id: publicationId })),
  argsCase("video/publication:approve", approveArgs, fc.record({ id: publicationId, seenAtMs: ms })),
  argsCase("video/card:go", draftArgs, fc.record({ id: publicationId, asksApproval: fc.boolean() })),
  argsCase("video/publish:server", serverArgs, fc.record({ messageId: snowflake })),
  argsCase("video/settings:history", historyArgs, fc.record({ atMs: maybe(ms), id: maybe(shortId) })),
  argsCase("video/delete:delete", videoArgs, fc.record({ videoId, replacesMessage: fc.boolean() })),
  argsCase("video/list:page", listArgs, fc.record({ after })),
  argsCase("video/comment:unhide", commentArgs, fc.record({ videoId, commentId }), fitsCommentArgs),
  argsCase(
    "video/comments:open",
    commentPageArgs,
    fc.record({ videoId, replyingTo: maybe(commentId), after, replacesMessage: fc.boolean() }),
    (args) => fitsCommentArgs({ videoId: args.videoId, commentId: args.replyingTo ?? "" }),
  ),
  argsCase("watch/list:cardResume", watchArgs, fc.record({ id: shortId })),
  argsCase(
    "watch/train:choose",
    watchRequestArgs,
    fc.record({
      station: crs,
      to: maybe(crs),
      delay: maybe(fc.integer({ min: 1, max: 240 })),
      lead: maybe(fc.integer({ min: 1, max: 240 })),
      ping: fc.boolean(),
      where: fc.constantFrom("dm", "here"),
    }),
  ),
  argsCase(
    "watch/train:watch",
    sightingArgs,
    fc.record({
      crs,
      aimedAt: minute,
      trainUid: maybe(fc.stringMatching(/^[A-Z]\d{5}$/)),
      startDate: maybe(fc.constant("2028-02-29")),
      place: fc.stringMatching(/^[a-zA-Z]{0,39}$/),
    }),
  ),
];

describe("the arguments of a component", () => {
  it.each(CASES)("fit into an id of $route and are decoded unchanged", ({ route, codec, values }) => {
    const [command = "", action = ""] = route.split(":");
    fc.assert(
      fc.property(values, (given) => {
        const id = formatComponentId({ command, action, args: codec.encode(given) });
        expect(id.length).toBeLessThanOrEqual(100);
        // As JSON, times are compared as text, and `undefined` equals an absent field.
        expect(JSON.stringify(codec.decode(parseComponentId(id)?.args ?? {}))).toBe(JSON.stringify(given));
      }),
    );
  });

  it.each(CASES)("are only decoded to values that can be encoded: $route", ({ codec }) => {
    const anything = fc.dictionary(fc.stringMatching(/^[a-z]$/), fc.string());
    fc.assert(
      fc.property(anything, (written) => {
        const read = codec.decode(written);
        const again = read && codec.decode(codec.encode(read));
        expect(JSON.stringify(again)).toBe(JSON.stringify(read));
      }),
    );
  });
});
