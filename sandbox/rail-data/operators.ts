// How the train operators say that they run: as their trains do, or as a test or a person orders.
import type { StatusRow } from "../transport/status/train-status.ts";

/** One incident, as an operator reports it. */
export interface Incident {
  readonly id: string;
  readonly detail: string;
}

export type Operators = ReturnType<typeof createOperators>;

export function createOperators() {
  const orders = new Map<string, readonly Incident[]>();
  return {
    /** How an operator reports that it runs, instead of what its trains say. No incidents: good service. */
    set: (name: string, ...incidents: readonly Incident[]) => void orders.set(name, incidents),
    /** As `/tocs/serviceIndicators` answers. */
    indicators: (rows: readonly StatusRow[]) => [
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
