// Something that is offered by name, as an entry of a list with its picture.
import type { Offer } from "../command/offers.ts";
import { Avatar } from "../kit/avatar.tsx";
import { Icon } from "../kit/icon.tsx";
import type { ListOption } from "../kit/option-list.tsx";
import { personOf } from "../state/scene.ts";

/** Its key is its value. */
export function optionOf({ kind, name, value }: Pick<Offer, "name" | "value"> & Partial<Offer>): ListOption {
  return { key: String(value), label: name, lead: leadOf(kind, String(value), name) };
}

function leadOf(kind: Offer["kind"] | undefined, id: string, name: string): ListOption["lead"] {
  switch (kind) {
    case "person":
      return <Avatar name={name} isBot={personOf(id)?.bot === true} size="small" />;
    case "role":
      return <Icon name="at" />;
    case "channel":
      return <Icon name="hash" />;
    case "plain":
    case undefined:
      return undefined;
  }
}
