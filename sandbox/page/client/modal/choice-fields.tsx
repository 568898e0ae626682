// One of several, some of several, yes or no.
import { choicesOf } from "../components/fields.ts";
import type { FieldProps } from "./field-view.tsx";
import { FIELD, isRequired } from "./form-fields.ts";

export function ChoicesField({ field: { field, customId }, value, onChange }: FieldProps) {
  const isRadio = field.type === FIELD.radio;
  const chosen = [value].flat().filter((one) => typeof one === "string");
  const turn = (one: string) => {
    if (isRadio) {
      // What need not be chosen can be taken back.
      onChange(chosen.includes(one) && !isRequired(field) ? "" : one);
    } else {
      onChange(chosen.includes(one) ? chosen.filter((other) => other !== one) : [...chosen, one]);
    }
  };
  return (
    <div class="stack">
      {choicesOf(field).map((choice) => (
        <label key={choice.value} class="choice card row">
          <input
            type={isRadio ? "radio" : "checkbox"}
            name={customId}
            checked={chosen.includes(choice.value)}
            onClick={() => turn(choice.value)}
          />
          <span class="stack">
            {choice.label}
            <span class="subtext">{choice.description}</span>
          </span>
        </label>
      ))}
    </div>
  );
}

/** Its label stands above, so the box itself says only yes. */
export function CheckField({ value, id, describedBy, onChange }: FieldProps) {
  return (
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
  );
}
