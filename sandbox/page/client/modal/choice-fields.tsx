// One of several, some of several, yes or no.
import { choicesOf, type Choice } from "../components/fields.ts";
import type { FieldProps } from "./field-view.tsx";
import { isRequired } from "./form-fields.ts";

export function RadioField({ field: { field, customId }, value, onChange }: FieldProps) {
  const isOptional = !isRequired(field);
  return (
    <div class="stack">
      {choicesOf(field).map((choice) => (
        <label key={choice.value} class="choice card row">
          <input
            type="radio"
            name={customId}
            checked={value === choice.value}
            onChange={() => onChange(choice.value)}
            // What need not be chosen can be taken back.
            onClick={() => {
              if (isOptional && value === choice.value) {
                onChange("");
              }
            }}
          />
          <ChoiceWords choice={choice} />
        </label>
      ))}
    </div>
  );
}

export function ChecksField({ field: { field }, value, onChange }: FieldProps) {
  const chosen = typeof value === "string" ? [] : value.filter((one) => typeof one === "string");
  return (
    <div class="stack">
      {choicesOf(field).map((choice) => (
        <label key={choice.value} class="choice card row">
          <input
            type="checkbox"
            checked={chosen.includes(choice.value)}
            onChange={(event) =>
              onChange(
                event.currentTarget.checked
                  ? [...chosen, choice.value]
                  : chosen.filter((one) => one !== choice.value),
              )
            }
          />
          <ChoiceWords choice={choice} />
        </label>
      ))}
    </div>
  );
}

/** Its label stands above, so the box itself says only yes. */
export function CheckField({ value, id, describedBy, onChange }: FieldProps) {
  return (
    <div class="stack">
      <span class="choice card row">
        <input
          id={id}
          type="checkbox"
          checked={value === "true"}
          aria-describedby={describedBy}
          onChange={(event) => onChange(String(event.currentTarget.checked))}
        />
        <span aria-hidden="true">Yes</span>
      </span>
    </div>
  );
}

function ChoiceWords({ choice: { label, description } }: { readonly choice: Choice }) {
  return (
    <span class="stack">
      {label}
      {description !== "" && <span class="subtext">{description}</span>}
    </span>
  );
}
