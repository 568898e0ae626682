// A menu in a form: of words, people, roles or channels.
import { selectOptions } from "../components/select-choices.tsx";
import { textField } from "../components/fields.ts";
import { Select } from "../kit/select.tsx";
import type { FieldProps } from "./field-view.tsx";
import { boundsOf } from "./form-fields.ts";

export function SelectField({
  field: { field, label },
  value,
  problem,
  id,
  describedBy,
  onChange,
}: FieldProps) {
  const { least, most } = boundsOf(field);
  const chosen = typeof value === "string" ? [] : value.filter((one) => typeof one === "string");
  return (
    <Select
      id={id}
      label={label}
      placeholder={textField(field, "placeholder") || "Make a selection"}
      options={selectOptions(field)}
      chosen={chosen}
      least={least}
      most={most}
      isInvalid={problem !== undefined}
      describedBy={describedBy}
      onSettle={onChange}
    />
  );
}
