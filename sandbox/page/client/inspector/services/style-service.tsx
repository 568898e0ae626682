// The style service: pictures that were sent, and what became of them.
import { signal } from "@preact/signals";
import type { StyleLedger } from "../../../../control/api/services.ts";
import { Block } from "../parts/block.tsx";
import { CallList } from "../parts/call-list.tsx";
import { More } from "../parts/more.tsx";
import { useTold } from "../parts/use-told.ts";
import { count } from "../parts/words.ts";
import { StyleOrderCard } from "./style-order.tsx";

const ledger = signal<StyleLedger | undefined>(undefined);

export function StyleService() {
  const { orders, calls } = useTold("style", ledger) ?? { orders: [], calls: [] };
  return (
    <>
      <Block title="Pictures" aside={count(orders.length, "order")}>
        {orders.length === 0 ? (
          <p class="subtext">No pictures yet. Try /style.</p>
        ) : (
          <ol class="lines">
            {orders.map((order, index) => <StyleOrderCard key={index} order={order} />).toReversed()}
          </ol>
        )}
      </Block>
      <More title="All calls" count={calls.length}>
        <CallList calls={calls} />
      </More>
    </>
  );
}
