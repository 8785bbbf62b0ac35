import { ERRORS } from '@parley/contract';
import { useSignal } from '@preact/signals';
import { asProblem, call } from '../api/index.ts';
import { loadVisit } from '../state/visit.ts';
import { entranceTexts } from '../texts/entrance.ts';
import { TextField } from '../ui/index.ts';
import { EmailField } from './email-field.tsx';
import { EntranceForm } from './form.tsx';

export function SignInForm() {
  const email = useSignal('');
  const password = useSignal('');
  const code = useSignal('');
  const asksCode = useSignal(false);
  return (
    <EntranceForm
      title={entranceTexts.signIn}
      lead={entranceTexts.signInLead}
      submit={entranceTexts.signIn}
      work={async () => {
        const given = { email: email.value.trim(), password: password.value };
        const body = { ...given, ...(asksCode.value && { code: code.value }) };
        await call('signIn', { body }).catch((thrown: unknown) => {
          const isAsked = asProblem(thrown).message === ERRORS.second_factor_required.text;
          if (!isAsked || asksCode.value) throw thrown;
          asksCode.value = true;
        });
        await loadVisit();
      }}
    >
      <EmailField email={email} autofocus />
      <TextField
        label={entranceTexts.password}
        type="password"
        name="password"
        autocomplete="current-password"
        required
        value={password.value}
        onInput={(value) => (password.value = value)}
      />
      {asksCode.value && (
        <TextField
          label={entranceTexts.code}
          hint={entranceTexts.codeHint}
          name="code"
          autocomplete="one-time-code"
          required
          autofocus
          value={code.value}
          onInput={(value) => (code.value = value)}
        />
      )}
    </EntranceForm>
  );
}
