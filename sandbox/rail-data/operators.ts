// How the train operators say that they run: as their trains do, or as a test or a person orders.
import type { StatusRow } from "../transport/status/train-status.ts";

/** One incident, as an operator reports it. */
export interface Incident {
  readonly id: string;
  readonly detail: string;
}

/** How an operator reports that it runs, instead of what its trains say. */
export interface OperatorOrders {
  /** No incidents: good service. */
  set(name: string, ...incidents: readonly Incident[]): void;
}

export interface Operators extends OperatorOrders {
  /** As `/tocs/serviceIndicators` answers. */
  indicators(rows: readonly StatusRow[]): readonly unknown[];
}

export function createOperators(): Operators {
  const orders = new Map<string, readonly Incident[]>();
  return {
    set: (name, ...incidents) => void orders.set(name, incidents),
    indicators: (rows) => [
      ...rows.filter(({ name }) => !orders.has(name)).map(formatIndicator),
      ...[...orders].map(([name, incidents]) => formatOrdered(name, incidents)),
    ],
  };
}

// In the shape that other people's programs read: no answer of this product was ever captured.

function formatIndicator({ name, status, description }: StatusRow) {
  return {
    tocName: name,
    tocStatus: status === "Special service" ? "Custom" : status,
    tocStatusDescription: status === "Special service" ? "Buses replace some trains" : status,
    tocAdditionalInfo: description === "" ? "" : `<p><strong>Now:</strong> ${description}</p>`,
  };
}

function formatOrdered(name: string, incidents: readonly Incident[]) {
  const status = incidents.length === 0 ? "Good service" : "Minor delays";
  return {
    tocName: name,
    tocStatus: status,
    tocStatusDescription: status,
    ...(incidents.length > 0 && {
      tocServiceGroup: incidents.map(({ id, detail }) => ({
        currentDisruption: id,
        customDetail: detail,
        customURL: `https://www.nationalrail.co.uk/service-disruptions/${id}/`,
      })),
    }),
  };
}
