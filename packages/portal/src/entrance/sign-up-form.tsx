import { NAME_MAX_LENGTH } from '@parley/contract';
import { useSignal } from '@preact/signals';
import { call } from '../api/index.ts';
import { loadVisit } from '../state/visit.ts';
import { entranceTexts } from '../texts/entrance.ts';
import { TextField } from '../ui/index.ts';
import { EmailField } from './email-field.tsx';
import { EntranceForm } from './form.tsx';
import { NewPasswordField } from './new-password-field.tsx';

export function SignUpForm() {
  const name = useSignal('');
  const email = useSignal('');
  const password = useSignal('');
  return (
    <EntranceForm
      title={entranceTexts.signUp}
      lead={entranceTexts.signUpLead}
      submit={entranceTexts.signUp}
      work={async () => {
        const body = { name: name.value.trim(), email: email.value.trim(), password: password.value };
        await call('signUp', { body });
        await loadVisit();
      }}
    >
      <TextField
        label={entranceTexts.name}
        hint={entranceTexts.nameHint}
        name="organization"
        autocomplete="organization"
        required
        autofocus
        maxLength={NAME_MAX_LENGTH}
        value={name.value}
        onInput={(value) => (name.value = value)}
      />
      <EmailField email={email} />
      <NewPasswordField password={password} />
    </EntranceForm>
  );
}
