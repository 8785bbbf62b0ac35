import { useId } from 'preact/hooks';
import type { Choice } from './field.tsx';
import './field.css';

/** Choice among a few visible options. */
export function Segments<V extends string>({
  label,
  value,
  choices,
  onChange,
}: {
  label: string;
  value: V;
  choices: readonly Choice<V>[];
  onChange: (value: V) => void;
}) {
  const name = useId();
  return (
    <fieldset class="segments">
      <legend class="unseen">{label}</legend>
      {choices.map((choice) => (
        <div class="segment" key={choice.value}>
          <input
            type="radio"
            id={`${name}-${choice.value}`}
            name={name}
            checked={choice.value === value}
            onChange={() => onChange(choice.value)}
          />
          <label for={`${name}-${choice.value}`}>{choice.label}</label>
        </div>
      ))}
    </fieldset>
  );
}
