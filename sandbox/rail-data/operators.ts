// The train operators' reports of how they run: derived from their trains, or set by a test or a person.
import type { StatusRow } from "../transport/status/train-status.ts";

export interface Incident {
  readonly id: string;
  readonly detail: string;
}

export type Operators = ReturnType<typeof createOperators>;

export function createOperators() {
  const orders = new Map<string, readonly Incident[]>();
  return {
    /** Makes an operator report these incidents, however its trains run. No incidents: good service. */
    set: (name: string, ...incidents: readonly Incident[]) => void orders.set(name, incidents),
    /** The answer of `/tocs/serviceIndicators`. */
    indicators: (rows: readonly StatusRow[]) => [
      ...rows.filter(({ name }) => !orders.has(name)).map(formatIndicator),
      ...[...orders].map(([name, incidents]) => formatOrdered(name, incidents)),
    ],
  };
}

// No answer of this product was ever captured. The shape follows what other people's programs read.

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
