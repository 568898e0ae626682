// A menu of a message. One choice is sent at once, several when the menu is closed.
import { useEffect, useMemo, useState } from "preact/hooks";
import { Select } from "../kit/select.tsx";
import { press } from "../state/acts.ts";
import { isSet, numberField, textField } from "./fields.ts";
import { selectDefaults, selectOptions } from "./select-choices.tsx";
import type { ComponentProps } from "./surface.ts";
import { useBusy } from "./use-busy.ts";

export function SelectView({ component: select, surface: { messageId } }: ComponentProps) {
  const defaults = useMemo(() => selectDefaults(select), [select]);
  const [chosen, setChosen] = useState<readonly string[]>(defaults);
  const [isBusy, begin] = useBusy();
  // The bot has written the message anew.
  useEffect(() => setChosen(defaults), [defaults]);
  const placeholder = textField(select, "placeholder") || "Make a selection";
  const most = numberField(select, "max_values") ?? 1;
  const least = numberField(select, "min_values") ?? 1;
  const send = (values: readonly string[]) => {
    setChosen(values);
    if (values.length >= least) {
      const menu = textField(select, "custom_id");
      begin(() => press(messageId, { do: "select", messageId, menu, values }));
    }
  };
  return (
    <Select
      label={placeholder}
      placeholder={placeholder}
      options={selectOptions(select)}
      chosen={chosen}
      least={least}
      most={most}
      isDisabled={isSet(select, "disabled")}
      isBusy={isBusy}
      onSettle={send}
    />
  );
}
