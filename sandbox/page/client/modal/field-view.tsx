import { useId } from "preact/hooks";
import { COMPONENT_TYPES } from "../../../discord/component-types.ts";
import { boundsOf, type FieldValue, type FormField, isRequired } from "./form-fields.ts";
import { selectOptions } from "../components/select-choices.tsx";
import { numberField, textField } from "../components/fields.ts";
import { Select } from "../kit/select.tsx";
import { extensionsOf } from "../../../discord/file-extensions.ts";
import { chooseFiles } from "../composer/files.ts";
import { IconButton } from "../kit/icon-button.tsx";
import { formatSize } from "../text/size.ts";

interface FieldViewProps {
  readonly field: FormField;
  readonly value: FieldValue;
  readonly problem: string | undefined;
  readonly onChange: (value: FieldValue) => void;
}

export interface FieldProps extends FieldViewProps {
  /** The control's id, for its label. */
  readonly id: string;
  /** The ids of the elements that describe the control. */
  readonly describedBy: string | undefined;
}

export function FieldView(props: FieldViewProps) {
  const { field: formField, problem } = props;
  const { label, description, field, customId } = formField;
  const id = useId();
  const described = [description !== "" && `${id}-about`, problem !== undefined && `${id}-problem`];
  const ids = described.filter((one) => one !== false).join(" ");
  const all = { ...props, id, describedBy: ids === "" ? undefined : ids };
  return (
    <div class="field" data-field={customId}>
      <label id={`${id}-label`} for={id}>
        {label}
        {isRequired(field) && (
          <span class="alarm" aria-hidden="true">
            {" "}
            *
          </span>
        )}
      </label>
      {description !== "" && (
        <p id={`${id}-about`} class="subtext">
          {description}
        </p>
      )}
      <Control {...all} />
      {problem !== undefined && (
        <p id={`${id}-problem`} class="alarm" role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}

function Control(props: FieldProps) {
  switch (props.field.field.type) {
    case COMPONENT_TYPES.textInput:
      return <TextField {...props} />;
    case COMPONENT_TYPES.fileUpload:
      return <UploadField {...props} />;
    default:
      return <SelectField {...props} />;
  }
}

function SelectField({ field: { field, label }, value, problem, id, describedBy, onChange }: FieldProps) {
  const { min, max } = boundsOf(field);
  const chosen = typeof value === "string" ? [] : value.filter((one) => typeof one === "string");
  return (
    <Select
      id={id}
      label={label}
      placeholder={textField(field, "placeholder") || "Make a selection"}
      options={selectOptions(field)}
      chosen={chosen}
      min={min}
      max={max}
      isInvalid={problem !== undefined}
      describedBy={describedBy}
      onSettle={onChange}
    />
  );
}

const PARAGRAPH = 2;

function TextField({ field: { field }, value, problem, id, describedBy, onChange }: FieldProps) {
  const text = typeof value === "string" ? value : "";
  const max = numberField(field, "max_length") ?? 4000;
  const common = {
    id,
    value: text,
    placeholder: textField(field, "placeholder"),
    maxLength: max,
    "aria-required": isRequired(field),
    "aria-invalid": problem !== undefined,
    "aria-describedby": describedBy,
  };
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
      <span class="subtext" aria-hidden="true">
        {text.length}/{max}
      </span>
    </div>
  );
}

function UploadField({ field: { field }, value, problem, id, describedBy, onChange }: FieldProps) {
  const files = typeof value === "string" ? [] : value.filter((one) => typeof one !== "string");
  const { max } = boundsOf(field);
  const extensions = extensionsOf(field["file_types"]);
  const add = (added: readonly File[]) => onChange([...files, ...added].slice(0, max));
  return (
    <>
      <button
        id={id}
        type="button"
        class="upload stack"
        // Screen readers read the field's label and then the button's text.
        aria-labelledby={`${id}-label ${id}`}
        aria-invalid={problem !== undefined}
        aria-describedby={describedBy}
        onClick={() => void chooseFiles({ isMultiple: max > 1, extensions }).then(add)}
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => {
          event.preventDefault();
          add([...(event.dataTransfer?.files ?? [])]);
        }}
      >
        Choose {max === 1 ? "a file" : `up to ${max} files`}, or drop {max === 1 ? "it" : "them"} here
        {extensions.length > 0 && <span class="subtext">{extensions.join(", ")}</span>}
      </button>
      <ul>
        {files.map((file) => (
          <li key={`${file.name} ${file.size}`} class="row">
            <span class="clip">{file.name}</span>
            <span class="rest subtext">{formatSize(file.size)}</span>
            <IconButton
              icon="trash"
              label={`Remove ${file.name}`}
              onClick={() => onChange(files.filter((one) => one !== file))}
            />
          </li>
        ))}
      </ul>
    </>
  );
}
