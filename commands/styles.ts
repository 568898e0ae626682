import { UserError } from "../src/core/errors.ts";
import { defineCommand } from "../src/discord/define.ts";
import type { Context } from "../src/discord/define/context.ts";
import { pageArgs } from "../src/core/pages.ts";
import { stylesView, tryArgs, tryStyleForm } from "../src/pictures/styles-view.ts";
import { newArgs, restylePicture } from "../src/pictures/restyle-command.ts";

async function showPage({ services, progress }: Context<"styleGallery">, number: number) {
  const onProgress = (done: number, all: number) => progress(`Making the samples: ${done} of ${all} done…`);
  return stylesView(await services.styleGallery.page(number, onProgress));
}

export default defineCommand({
  description: "See what the styles for pictures look like, and try one",
  needs: ["restyle", "styleGallery"],
  run: (context) => showPage(context, 0),
  buttons: {
    page: { args: pageArgs, run: ({ args, ...context }) => showPage(context, args.page) },
    try: {
      args: pageArgs,
      run: () => tryStyleForm(undefined),
    },
  },
  selects: {
    try: {
      run: ({ chosen, services }) => tryStyleForm(services.restyle.resolve(chosen[0] ?? "")),
    },
  },
  modals: {
    try: {
      args: tryArgs,
      run({ args, fields, files, ...context }) {
        const [picture] = files["picture"] ?? [];
        if (!picture) {
          throw new UserError("There was no picture in that form. Please attach one and send it again.");
        }
        const style = args.style ?? (fields["style"]?.[0]?.trim() || undefined);
        const wanted = { ...newArgs(context.caller.id), style, isSpoiler: picture.spoiler };
        return restylePicture(context, { picture, args: wanted });
      },
    },
  },
});
