import { type ComponentChildren, h } from 'preact';
import { useId } from 'preact/hooks';
import { words } from '../texts/common.ts';
import './field.css';
import { useComplaintNote } from './form-problem.ts';

interface FieldProps {
  label: string;
  hint?: ComponentChildren;
  /** Message about an invalid value. */
  error?: string | undefined;
  optional?: boolean | undefined;
  /** Name of the field in the interface; its refusals are shown at this field. */
  name?: string | undefined;
}

interface Described {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
}

/** Label, control, hint and error. */
function Field({
  label,
  hint,
  error,
  optional,
  name,
  children,
}: FieldProps & { children: (control: Described) => ComponentChildren }) {
  const id = useId();
  const note = error ?? hint;
  const complaint = useComplaintNote(name);
  const notes = [complaint, note ? `${id}-note` : undefined].filter((each) => each !== undefined);
  return (
    <div class="field">
      <label class="field-label" for={id}>
        {label}
        {optional && <span class="field-optional">{words.optional}</span>}
      </label>
      {children({
        id,
        'aria-describedby': notes.length > 0 ? notes.join(' ') : undefined,
        'aria-invalid': error || complaint ? true : undefined,
      })}
      {note && (
        <p id={`${id}-note`} class={error ? 'field-note field-error' : 'field-note'}>
          {note}
        </p>
      )}
    </div>
  );
}

interface TextProps extends FieldProps {
  value: string;
  onInput: (value: string) => void;
  type?: 'text' | 'email' | 'password' | 'url' | 'tel' | 'number' | 'search' | 'datetime-local' | 'date';
  autocomplete?: string | undefined;
  placeholder?: string | undefined;
  required?: boolean | undefined;
  minLength?: number | undefined;
  maxLength?: number | undefined;
  min?: string | undefined;
  max?: string | undefined;
  step?: string | undefined;
  /** For ids, keys and addresses. */
  mono?: boolean | undefined;
  /** Lines of text; one when absent. */
  rows?: number | undefined;
  autofocus?: boolean | undefined;
}

export function TextField({
  label,
  hint,
  error,
  optional,
  value,
  onInput,
  mono,
  rows,
  type = 'text',
  autofocus,
  name,
  ...rest
}: TextProps) {
  const focus = (element: HTMLElement | null): void => {
    if (autofocus && element && !element.dataset.focused) {
      element.dataset.focused = 'true';
      element.focus();
    }
  };
  const tag: string = rows ? 'textarea' : 'input';
  return (
    <Field label={label} hint={hint} error={error} optional={optional} name={name}>
      {(control) =>
        h(tag, {
          ...control,
          ...rest,
          name,
          ...(rows ? { rows } : { type }),
          // An opening dialog honours the attribute; a page that is already rendered does not.
          autofocus,
          ref: focus,
          class: mono ? 'control mono' : 'control',
          value,
          onInput: ({ currentTarget }: { currentTarget: { value: string } }) => onInput(currentTarget.value),
        })
      }
    </Field>
  );
}

export interface Choice<V extends string> {
  readonly value: V;
  readonly label: string;
}

export function SelectField<V extends string>({
  label,
  hint,
  error,
  optional,
  name,
  value,
  choices,
  onChange,
}: FieldProps & { value: V; choices: readonly Choice<V>[]; onChange: (value: V) => void }) {
  return (
    <Field label={label} hint={hint} error={error} optional={optional} name={name}>
      {(control) => (
        <select
          {...control}
          class="control"
          value={value}
          onChange={({ currentTarget }) => {
            const chosen = choices[currentTarget.selectedIndex];
            if (chosen) onChange(chosen.value);
          }}
        >
          {choices.map((choice) => (
            <option key={choice.value} value={choice.value}>
              {choice.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

/** Choice among a few explained options. Without `value` none is preselected. */
export function RadioField<V extends string>({
  label,
  value,
  choices,
  onChange,
}: {
  label: string;
  value: V | undefined;
  choices: readonly (Choice<V> & { readonly hint: string })[];
  onChange: (value: V) => void;
}) {
  const name = useId();
  return (
    <fieldset class="radios">
      <legend class="field-label">{label}</legend>
      {choices.map((choice) => {
        const id = `${name}-${choice.value}`;
        return (
          <div class="check" key={choice.value}>
            <input
              id={id}
              type="radio"
              name={name}
              required
              checked={choice.value === value}
              aria-describedby={`${id}-note`}
              onChange={() => onChange(choice.value)}
            />
            <label for={id}>{choice.label}</label>
            <p id={`${id}-note`} class="field-note">
              {choice.hint}
            </p>
          </div>
        );
      })}
    </fieldset>
  );
}

export function CheckField({
  label,
  hint,
  checked,
  onChange,
  disabled,
}: {
  label: ComponentChildren;
  hint?: string | undefined;
  checked: boolean;
  onChange: (checked: boolean) => void;
  disabled?: boolean | undefined;
}) {
  const id = useId();
  return (
    <div class="check">
      <input
        id={id}
        type="checkbox"
        checked={checked}
        disabled={disabled}
        aria-describedby={hint && `${id}-note`}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
      <label for={id}>{label}</label>
      {hint && (
        <p id={`${id}-note`} class="field-note">
          {hint}
        </p>
      )}
    </div>
  );
}
