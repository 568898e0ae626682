import type { JSX } from "preact";
import { useRef, useState } from "preact/hooks";
import { COMPONENT_TYPES } from "../../../discord/component-types.ts";
import type { FieldValues } from "../../../control/chat/api.ts";
import { selectDefaults } from "../components/select-choices.tsx";
import { textField } from "../components/fields.ts";
import { uploadLimitBytes } from "../composer/files.ts";
import { Avatar } from "../kit/avatar.tsx";
import { Dialog } from "../kit/dialog.tsx";
import { errorText } from "../api/request.ts";
import { openedForm, type OpenedForm } from "../state/actions.ts";
import { personOf, scene } from "../state/scene.ts";
import { Markdown } from "../text/markdown-view.tsx";
import { FieldView } from "./field-view.tsx";
import { formFieldOf, startValue, valueProblem } from "./form-fields.ts";

const close = () => {
  openedForm.value = undefined;
};

export function ModalLayer() {
  const form = openedForm.value;
  return form === undefined ? null : <Modal key={form.modal.customId} form={form} />;
}

function Modal({ form }: { readonly form: OpenedForm }) {
  const { title, components } = form.modal;
  const fields = components.flatMap((component) => formFieldOf(component) ?? []);
  const [values, setValues] = useState<FieldValues>(() =>
    Object.fromEntries(
      fields.map(({ customId, field }) => [customId, startValue(field, selectDefaults(field))]),
    ),
  );
  const [wrong, setWrong] = useState<Readonly<Record<string, string | undefined>>>({});
  const [failure, setFailure] = useState("");
  const [isBusy, setBusy] = useState(false);
  const node = useRef<HTMLFormElement>(null);
  const send = async () => {
    const problems = fields.flatMap(({ customId, field }) => {
      const problem = valueProblem(field, values[customId] ?? "", uploadLimitBytes());
      return problem === undefined ? [] : [{ customId, problem }];
    });
    setWrong(Object.fromEntries(problems.map(({ customId, problem }) => [customId, problem])));
    const [first] = problems;
    if (first !== undefined) {
      node.current
        ?.querySelector<HTMLElement>(
          `[data-field="${CSS.escape(first.customId)}"] :is(input, textarea, button)`,
        )
        ?.focus();
      return;
    }
    setBusy(true);
    setFailure("");
    try {
      await form.submit(values);
      close();
    } catch (error) {
      setBusy(false);
      setFailure(`${errorText(error)} What you typed is still here. Try again.`);
    }
  };
  const onSubmit = (event: JSX.TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!isBusy) {
      void send();
    }
  };
  const { botId = "" } = scene.value ?? {};
  return (
    <Dialog label={title} class="modal" onClose={close}>
      <form ref={node} noValidate onSubmit={onSubmit}>
        <header class="row">
          <Avatar name={personOf(botId)?.name ?? "App"} isBot size="small" />
          <h2>{title}</h2>
        </header>
        <div class="modal-fields">
          {components.map((component) => {
            const field = formFieldOf(component);
            if (component.type === COMPONENT_TYPES.textDisplay || field === undefined) {
              return <Markdown key={component.id} text={textField(component, "content")} />;
            }
            const { customId } = field;
            return (
              <FieldView
                key={component.id}
                field={field}
                value={values[customId] ?? ""}
                problem={wrong[customId]}
                onChange={(value) => {
                  setValues((now) => ({ ...now, [customId]: value }));
                  setWrong((now) => ({ ...now, [customId]: undefined }));
                }}
              />
            );
          })}
        </div>
        {failure !== "" && (
          <p class="failure alarm" role="alert">
            {failure}
          </p>
        )}
        <footer class="row">
          <button type="button" class="button plain" onClick={close}>
            Cancel
          </button>
          <button type="submit" class={`button primary ${isBusy ? "busy" : ""}`} aria-busy={isBusy}>
            <span>Submit</span>
          </button>
        </footer>
      </form>
    </Dialog>
  );
}
