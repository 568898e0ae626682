// Texts from people are cut in many places, but never inside a character.
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { oneLine, quoteText } from "../../src/core/text.ts";
import { proposeTitle } from "../../src/videos/publishing/draft-videos.ts";
import { formatNamedPoint } from "../../src/travel/places-args.ts";
import { descriptionQuote, fileWords, publicationTitle } from "../../src/videos/publication-words.ts";
import { auditLine } from "../../src/videos/video-settings-view.ts";
import { trainChoices } from "../../src/rail/train-view.ts";
import { quotation, videoTitle } from "../../src/videos/video-words.ts";
import { boardRow } from "../support/boards.ts";
import { publication } from "../support/publications.ts";
import { cases } from "../support/cases.ts";

const NOW = Temporal.Instant.from("2026-11-18T17:20:00Z");

/** Functions that cut a text, each to its own limit. */
const CUTS: Readonly<Record<string, (text: string) => string | undefined>> = {
  quoteText,
  proposeTitle,
  publicationTitle: (title) => publicationTitle({ ...publication(), title }, 60),
  fileWords: (fileName) => fileWords({ ...publication(), fileName }),
  descriptionQuote: (description) => descriptionQuote(description, 100),
  videoTitle: (title) => videoTitle(title, 60),
  oneLine: (text) => oneLine(text, 50),
  quotation: (text) => quotation(text, 50),
  auditLine: (note) =>
    auditLine({
      id: "act001",
      atMs: 0,
      actorId: "7",
      act: "refused",
      publicationId: undefined,
      videoId: undefined,
      note,
    }),
  namedPoint: (name) => formatNamedPoint({ latitude: 53, longitude: -1, name }),
  trainChoice: (place) => trainChoices([boardRow({ place })], NOW)[0]?.value,
};

/** Texts with any beginning, so that a cut may fall anywhere in the rest. Direction marks and spaces are removed. */
const text = fc
  .tuple(
    fc.string({ unit: "grapheme-ascii", maxLength: 3 }),
    fc.array(fc.constantFrom("🚂", "🚂🚂🚂🚂🚂", "a", " ", "\u202e".repeat(20), " ".repeat(50)), {
      maxLength: 120,
    }),
    fc.integer({ min: 0, max: 300 }),
  )
  .map(([beginning, parts, count]) => `${beginning}${parts.join("")}${"🚂".repeat(count)}`);

it.each(Object.entries(CUTS))("%s does not cut inside a character", (_name, cut) => {
  fc.assert(
    fc.property(text, (whole) => {
      const kept = cut(whole) ?? "";
      expect(kept.isWellFormed()).toBe(true);
      // The replacement for half a character.
      expect(kept).not.toContain("\ufffd");
    }),
    { numRuns: cases(500) },
  );
});
