// Reads postcodes. A well-formed one may still not be in use: only the service knows.
import { UserError } from "../../core/errors.ts";

/** What anybody takes for a postcode, e.g. `ZZ99 9CC`; the space may be missing, or a plus as in addresses of pages. */
const LOOKS_LIKE_ONE = /^([A-Z]{1,2}\d[A-Z\d]?)[\s+]*(\d[A-Z]{2})$/;
/** Which letters stand where (BS 7666 and the GOV.UK bulk data transfer guide), leaving out GIR 0AA, a bank's. */
const OUTWARD = /^[A-PR-UWYZ](?:\d{1,2}|\d[ABCDEFGHJKPSTUW]|[A-HK-Y]\d{1,2}|[A-HK-Y]\d[ABEHMNPRVWXY])$/;
const INWARD = /^\d[ABD-HJLNP-UW-Z]{2}$/;

/** The 120 areas of Great Britain; BT, GY, IM and JE lie outside, and any other is no area (Royal Mail's PAF guide). */
const AREAS: ReadonlySet<string> = new Set(
  [
    "AB AL B BA BB BD BH BL BN BR BS CA CB CF CH CM CO CR CT CV CW DA DD DE DG DH DL DN DT DY",
    "E EC EH EN EX FK FY G GL GU HA HD HG HP HR HS HU HX IG IP IV KA KT KW KY L LA LD LE LL LN LS LU",
    "M ME MK ML N NE NG NN NP NR NW OL OX PA PE PH PL PO PR RG RH RM S SA SE SG SK SL SM SN SO SP SR SS ST SW SY",
    "TA TD TF TN TQ TR TS TW UB W WA WC WD WF WN WR WS WV YO ZE",
  ].flatMap((line) => line.split(" ")),
);
const ELSEWHERE: ReadonlySet<string> = new Set(["BT", "GY", "IM", "JE"]);

/**
 * The postcode in its usual form, e.g. `YO24 1AB`; `undefined` for a text that does not look like one. Throws a
 * UserError for one that is not in Great Britain or that cannot exist.
 */
export function parsePostcode(text: string): string | undefined {
  const [, outward, inward] = LOOKS_LIKE_ONE.exec(text.trim().toUpperCase()) ?? [];
  if (outward === undefined || inward === undefined) {
    return undefined;
  }
  const postcode = `${outward} ${inward}`;
  const area = /^[A-Z]+/.exec(outward)?.[0] ?? "";
  if (ELSEWHERE.has(area)) {
    throw new UserError(`${postcode} is outside Great Britain, and I only know trains and buses there.`);
  }
  if (!AREAS.has(area) || !OUTWARD.test(outward) || !INWARD.test(inward)) {
    throw new UserError(`There is no postcode ${postcode}. Check it, or write the name of a place.`);
  }
  return postcode;
}
