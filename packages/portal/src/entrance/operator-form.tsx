import { useSignal } from '@preact/signals';
import { call } from '../api/index.ts';
import { loadVisit } from '../state/visit.ts';
import { entranceTexts } from '../texts/entrance.ts';
import { TextField } from '../ui/index.ts';
import { EntranceForm } from './form.tsx';

export function OperatorForm() {
  const token = useSignal('');
  return (
    <EntranceForm
      title={entranceTexts.operatorTitle}
      lead={entranceTexts.operatorLead}
      submit={entranceTexts.signIn}
      work={async () => {
        await call('signInAsOperator', { body: { token: token.value } });
        await loadVisit();
      }}
    >
      <TextField
        label={entranceTexts.operatorToken}
        hint={entranceTexts.operatorTokenHint}
        type="password"
        name="token"
        autocomplete="off"
        required
        autofocus
        value={token.value}
        onInput={(value) => (token.value = value)}
      />
    </EntranceForm>
  );
}
