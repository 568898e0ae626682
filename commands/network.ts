// How the network stands.
import { z } from "zod";
import { defineCommand } from "../src/discord/define.ts";
import type { ButtonDefinition } from "../src/discord/define/components.ts";
import type { Services } from "../src/discord/define/services.ts";
import { networkView } from "../src/travel/network-view.ts";

const args = z.object({ o: z.coerce.number().int().min(0).max(1_000).default(0) });

async function showNetwork({ network }: Pick<Services, "network">, skip: number) {
  return networkView(await network.state(), skip);
}

const show: ButtonDefinition<"network", z.infer<typeof args>> = {
  args,
  run: ({ args: { o }, services }) => showNetwork(services, o),
};

export default defineCommand({
  description: "See where trains, tubes, trams, buses and ferries are disrupted now",
  needs: ["network"],
  run: ({ services }) => showNetwork(services, 0),
  buttons: { refresh: show, back: show, more: show },
});
