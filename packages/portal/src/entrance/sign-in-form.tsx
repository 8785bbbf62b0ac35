import { useSignal } from '@preact/signals';
import { call } from '../api/index.ts';
import { lookAround } from '../state/visit.ts';
import { entranceTexts } from '../texts/entrance.ts';
import { TextField } from '../ui/index.ts';
import { EntranceForm } from './form.tsx';

export function SignInForm() {
  const email = useSignal('');
  const password = useSignal('');
  return (
    <EntranceForm
      title={entranceTexts.signIn}
      lead={entranceTexts.signInLead}
      submit={entranceTexts.signIn}
      work={async () => {
        await call('signIn', { body: { email: email.value.trim(), password: password.value } });
        await lookAround();
      }}
    >
      <TextField
        label={entranceTexts.email}
        type="email"
        name="email"
        autocomplete="username"
        required
        autofocus
        value={email.value}
        onInput={(value) => (email.value = value)}
      />
      <TextField
        label={entranceTexts.password}
        type="password"
        name="password"
        autocomplete="current-password"
        required
        value={password.value}
        onInput={(value) => (password.value = value)}
      />
    </EntranceForm>
  );
}
