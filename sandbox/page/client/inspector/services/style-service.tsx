// The style service: pictures that were sent, and what became of them.
import type { StyleLedger } from "../../../../control/api/services.ts";
import { CallList } from "../parts/call-list.tsx";
import { createLedger } from "../parts/ledger.ts";
import { More } from "../parts/more.tsx";
import { count } from "../parts/words.ts";
import { StyleOrderCard } from "./style-order.tsx";

const ledger = createLedger<StyleLedger>("style");

export function StyleService() {
  const told = ledger.use();
  if (told === undefined) {
    return null;
  }
  const { orders, calls } = told;
  return (
    <>
      <section class="block" aria-labelledby="style-orders">
        <header>
          <h3 id="style-orders">Pictures</h3>
          <span class="subtext">{count(orders.length, "order")}</span>
        </header>
        {orders.length === 0 ? (
          <p class="empty">No pictures yet. Try /style.</p>
        ) : (
          <ol class="orders">
            {orders.map((order, index) => <StyleOrderCard key={index} order={order} />).toReversed()}
          </ol>
        )}
      </section>
      <More title="All calls" count={calls.length}>
        <CallList calls={calls} />
      </More>
    </>
  );
}
