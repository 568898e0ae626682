// The quick way to a board, from /setup: one form, then the same preview as after /board subscribe.
import { BOARD_NEEDS, showDraft } from "../../src/boards/board-command.ts";
import { defineComponents } from "../../src/discord/define.ts";

export default defineComponents({
  needs: BOARD_NEEDS,
  defer: "private",
  buttons: {
    form: {
      run: () => ({
        type: "modal",
        target: { command: "board/first", action: "form", args: {} },
        title: "A departure board in this channel",
        fields: [
          {
            type: "text",
            name: "station",
            label: "Station",
            placeholder: "York",
            lines: "one",
            maxLength: 60,
          },
          {
            type: "text",
            name: "to",
            label: "Only trains that call at",
            placeholder: "All trains",
            lines: "one",
            maxLength: 60,
            required: false,
          },
        ],
      }),
    },
  },
  modals: {
    form: {
      answers: "private",
      run(context) {
        const { fields, services } = context;
        const choice = { station: fields["station"]?.[0] ?? "", callingAt: [fields["to"]?.[0] || undefined] };
        return showDraft(context, services.boards.choose(choice), undefined);
      },
    },
  },
});
