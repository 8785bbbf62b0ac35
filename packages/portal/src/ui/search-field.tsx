import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { after } from '../kernel/clock.ts';
import { TextField } from './field.tsx';

/** Nobody waits for an answer to half a word. */
const TYPED_MS = 250;

/** Something to search for, told once nothing more has been typed for a moment. */
export function SearchField({
  label,
  placeholder,
  value,
  onSearch,
}: {
  label: string;
  placeholder: string;
  value: string;
  onSearch: (text: string) => void;
}) {
  const typed = useSignal(value);
  // All filters may be cleared from elsewhere.
  useEffect(() => {
    typed.value = value;
  }, [value]);
  useEffect(
    () => (typed.value === value ? undefined : after(TYPED_MS, () => onSearch(typed.value))),
    [typed.value],
  );
  return (
    <TextField
      label={label}
      type="search"
      placeholder={placeholder}
      value={typed.value}
      onInput={(text) => {
        typed.value = text;
      }}
    />
  );
}
