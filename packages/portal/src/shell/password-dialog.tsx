import { PASSWORD_MIN_LENGTH } from '@parley/contract';
import { useSignal } from '@preact/signals';
import { call } from '../api/index.ts';
import { shell } from '../texts/common.ts';
import { entranceTexts } from '../texts/entrance.ts';
import { FormDialog, TextField, toast } from '../ui/index.ts';

export function PasswordDialog({ onClose }: { onClose: () => void }) {
  const current = useSignal('');
  const next = useSignal('');
  const submit = async () => {
    await call('changePassword', { body: { current_password: current.value, new_password: next.value } });
    toast(shell.passwordChanged);
  };
  return (
    <FormDialog
      title={shell.changePassword}
      submit={shell.changePassword}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label={shell.currentPassword}
        name="current_password"
        type="password"
        autocomplete="current-password"
        required
        value={current.value}
        onInput={(value) => (current.value = value)}
      />
      <TextField
        label={shell.newPassword}
        name="new_password"
        type="password"
        autocomplete="new-password"
        hint={entranceTexts.passwordHint}
        minLength={PASSWORD_MIN_LENGTH}
        required
        value={next.value}
        onInput={(value) => (next.value = value)}
      />
    </FormDialog>
  );
}
