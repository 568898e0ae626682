// Links a server's own account. The token is entered in a form, which nobody else sees, and is never shown again.
import { UserError } from "../../../src/core/errors.ts";
import type { Modal } from "../../../src/core/reply.ts";
import { defineCommand } from "../../../src/discord/define.ts";
import type { Context } from "../../../src/discord/define/context.ts";
import { CANNOT_LINK } from "../../../src/videos/accounts/video-accounts.ts";
import { guildOf } from "../../../src/videos/settings/video-rules.ts";
import { accountLinkedView, linkAccountForm } from "../../../src/videos/video-account-view.ts";

function openForm({ services, where }: Context<"videoAccounts">): Modal {
  guildOf(where);
  if (!services.videoAccounts.canLink) {
    throw new UserError(CANNOT_LINK);
  }
  return linkAccountForm();
}

export default defineCommand({
  description: "Link this server's own account for publishing videos",
  needs: ["videoAccounts", "videoActors"],
  defer: "private",
  run: openForm,
  buttons: { form: { run: openForm } },
  modals: {
    link: {
      answers: "private",
      async run({ fields, services: { videoAccounts, videoActors }, where, caller }) {
        const { guildId } = await videoActors.manager({ caller, where }, "link an account");
        const token = fields["token"]?.[0] ?? "";
        return accountLinkedView(await videoAccounts.link(guildId, token, caller.id));
      },
    },
  },
});
