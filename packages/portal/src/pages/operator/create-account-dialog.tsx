import { NAME_MAX_LENGTH } from '@parley/contract';
import { useSignal } from '@preact/signals';
import { useLocation } from 'preact-iso';
import { call } from '../../api/index.ts';
import { accountsTexts } from '../../texts/operator.ts';
import { FormDialog, TextField, toast } from '../../ui/index.ts';
import { addressOfAccount } from './directory.ts';

export function CreateAccountDialog({ onClose }: { onClose: () => void }) {
  const { route } = useLocation();
  const name = useSignal('');
  const email = useSignal('');
  const password = useSignal('');
  const submit = async () => {
    const { account_id } = await call('createAccount', {
      body: {
        name: name.value,
        email: email.value,
        ...(password.value !== '' && { password: password.value }),
      },
    });
    toast(accountsTexts.created(name.value));
    route(addressOfAccount(account_id));
  };
  return (
    <FormDialog
      title={accountsTexts.create}
      submit={accountsTexts.create}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label={accountsTexts.name}
        name="name"
        hint={accountsTexts.nameHint}
        autocomplete="off"
        maxLength={NAME_MAX_LENGTH}
        required
        autofocus
        value={name.value}
        onInput={(value) => (name.value = value)}
      />
      <TextField
        label={accountsTexts.email}
        name="email"
        type="email"
        autocomplete="off"
        required
        value={email.value}
        onInput={(value) => (email.value = value)}
      />
      <TextField
        label={accountsTexts.password}
        name="password"
        hint={accountsTexts.passwordHint}
        type="password"
        autocomplete="new-password"
        optional
        value={password.value}
        onInput={(value) => (password.value = value)}
      />
    </FormDialog>
  );
}
