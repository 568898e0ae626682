// The picture of something that is offered by name.
import type { Offer } from "../command/offers.ts";
import { Avatar } from "../kit/avatar.tsx";
import { Icon } from "../kit/icon.tsx";
import { scene } from "../state/scene.ts";

interface OfferLeadProps {
  readonly kind: Offer["kind"];
  readonly id: string;
  readonly name: string;
}

export function OfferLead({ kind, id, name }: OfferLeadProps) {
  switch (kind) {
    case "person":
      return <Avatar name={name} isBot={id === scene.value?.botId} size="small" />;
    case "role":
      return <Icon name="at" />;
    case "channel":
      return <Icon name="hash" />;
    case "plain":
      return null;
  }
}
