import type { Signal } from '@preact/signals';
import { entranceTexts } from '../texts/entrance.ts';
import { TextField } from '../ui/index.ts';

export function EmailField({ email, autofocus = false }: { email: Signal<string>; autofocus?: boolean }) {
  return (
    <TextField
      label={entranceTexts.email}
      type="email"
      name="email"
      autocomplete="username"
      required
      autofocus={autofocus}
      value={email.value}
      onInput={(value) => (email.value = value)}
    />
  );
}
