import type { Caller } from "./define/context.ts";
import type { Interaction } from "./interaction.ts";

/** Who caused an interaction. */
export function callerOf({ member, user = member?.user, locale }: Interaction): Caller {
  return {
    id: user?.id ?? "",
    name: user?.global_name ?? user?.username ?? "",
    roles: member?.roles ?? [],
    locale,
  };
}
