// The style service: pictures that were sent, what became of them, and which styles people like.
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
  const { orders, styles, calls } = told;
  const most = Math.max(1, ...styles.map((one) => one.orders));
  return (
    <>
      <section class="block" aria-labelledby="style-orders">
        <header>
          <h3 id="style-orders">Pictures</h3>
          <span class="subtext">{count(orders.length, "order")}</span>
        </header>
        {orders.length === 0 ? (
          <p class="empty">No picture was sent yet. Try /style image.</p>
        ) : (
          <ol class="orders">
            {orders.map((order, index) => <StyleOrderCard key={index} order={order} />).toReversed()}
          </ol>
        )}
      </section>
      {styles.length > 0 && (
        <section class="block" aria-labelledby="style-counts">
          <header>
            <h3 id="style-counts">Styles asked for</h3>
          </header>
          <ul class="bars">
            {styles.map((one) => (
              <li key={one.style}>
                <span class="bar-words">
                  <span>{one.style}</span>
                  <span class="subtext">{one.orders}</span>
                </span>
                <span class="bar" aria-hidden="true">
                  <span style={{ width: `${(one.orders / most) * 100}%` }} />
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
      <More title="All calls" count={calls.length}>
        <CallList calls={calls} />
      </More>
    </>
  );
}
