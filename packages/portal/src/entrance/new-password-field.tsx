import { PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH } from '@parley/contract';
import type { Signal } from '@preact/signals';
import { entranceTexts } from '../texts/entrance.ts';
import { TextField } from '../ui/index.ts';

export function NewPasswordField({
  label = entranceTexts.password,
  password,
  autofocus = false,
}: {
  label?: string;
  password: Signal<string>;
  autofocus?: boolean;
}) {
  return (
    <TextField
      label={label}
      hint={entranceTexts.passwordHint}
      type="password"
      name="password"
      autocomplete="new-password"
      required
      autofocus={autofocus}
      minLength={PASSWORD_MIN_LENGTH}
      maxLength={PASSWORD_MAX_LENGTH}
      value={password.value}
      onInput={(value) => (password.value = value)}
    />
  );
}
