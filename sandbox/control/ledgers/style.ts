// The style service's ledger for the page: pictures that were sent, and what became of them.
import type { LedgerEntry, SentPicture } from "../../style/ledger.ts";
import type { StyleStandIn } from "../../style/server.ts";
import type { StyleLedger, StyleOrder } from "../api/services.ts";
import { formatCall, TOLD_CALLS } from "./calls.ts";

/** Where the page gets a result, before its name. */
const OUTPUTS = "_sandbox/style/outputs/";

export function formatStyle(style: StyleStandIn): StyleLedger {
  const { ledger } = style;
  return {
    orders: ledger
      .flatMap((entry) => (entry.sent === undefined ? [] : [formatOrder(style, entry, entry.sent)]))
      .slice(-TOLD_CALLS),
    calls: ledger.slice(-TOLD_CALLS).map(formatCall),
  };
}

function formatOrder(style: StyleStandIn, entry: LedgerEntry, sent: SentPicture): StyleOrder {
  const { result } = entry;
  return {
    ...formatCall(entry),
    style: sent.style,
    fields: sent.fields,
    picture: {
      name: sent.fileName,
      type: sent.type ?? null,
      sizeBytes: sent.sizeBytes,
      width: sent.width ?? null,
      height: sent.height ?? null,
      hasMetadata: sent.hasMetadata,
    },
    resultUrl: result !== undefined && style.findResult(result) !== undefined ? OUTPUTS + result : null,
  };
}
