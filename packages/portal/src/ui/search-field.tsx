import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { after } from '../kernel/clock.ts';
import { TextField } from './field.tsx';

/** Delay after the last keystroke, to skip searches for half a word. */
const TYPING_PAUSE_MS = 250;

/** Search field that reports its text after a pause in typing. */
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
  // Follows a reset of all filters.
  useEffect(() => {
    typed.value = value;
  }, [value]);
  useEffect(
    () => (typed.value === value ? undefined : after(TYPING_PAUSE_MS, () => onSearch(typed.value))),
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
