// A line or a paragraph of text, with how much fits.
import { numberField, textField } from "../components/fields.ts";
import type { FieldProps } from "./field-view.tsx";
import { isRequired } from "./form-fields.ts";

const PARAGRAPH = 2;
/** The count is shown where it is told, or where the end is near. */
const NEAR = 0.8;

export function TextField({ field: { field }, value, problem, id, describedBy, onChange }: FieldProps) {
  const text = typeof value === "string" ? value : "";
  const most = numberField(field, "max_length") ?? 4000;
  const common = {
    id,
    value: text,
    placeholder: textField(field, "placeholder"),
    maxLength: most,
    "aria-required": isRequired(field),
    "aria-invalid": problem !== undefined,
    "aria-describedby": describedBy,
  };
  const isCounted = field["max_length"] !== undefined || text.length > most * NEAR;
  return (
    <div class="text-field">
      {numberField(field, "style") === PARAGRAPH ? (
        <textarea {...common} rows={4} onInput={(event) => onChange(event.currentTarget.value)} />
      ) : (
        <input
          {...common}
          type="text"
          autocomplete="off"
          onInput={(event) => onChange(event.currentTarget.value)}
        />
      )}
      {isCounted && (
        <span class="subtext" aria-hidden="true">
          {text.length}/{most}
        </span>
      )}
    </div>
  );
}
