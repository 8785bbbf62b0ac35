import { NAME_MAX_LENGTH } from '@parley/contract';
import { useSignal } from '@preact/signals';
import { useLocation } from 'preact-iso';
import { call, useAction } from '../../api/index.ts';
import { words } from '../../texts/common.ts';
import { accountsTexts } from '../../texts/operator.ts';
import { Actions, Button, Dialog, ErrorNote, TextField, toast } from '../../ui/index.ts';
import { addressOfAccount } from './directory.ts';

export function CreateAccountDialog({ onClose }: { onClose: () => void }) {
  const { route } = useLocation();
  const name = useSignal('');
  const email = useSignal('');
  const password = useSignal('');
  const { run, busy, problem } = useAction(async () => {
    const { account_id } = await call('createAccount', {
      body: {
        name: name.value,
        email: email.value,
        ...(password.value !== '' && { password: password.value }),
      },
    });
    toast(accountsTexts.created(name.value));
    onClose();
    route(addressOfAccount(account_id));
  });
  return (
    <Dialog title={accountsTexts.create} onClose={onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void run();
        }}
      >
        <TextField
          label={accountsTexts.name}
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
          type="email"
          autocomplete="off"
          required
          value={email.value}
          onInput={(value) => (email.value = value)}
        />
        <TextField
          label={accountsTexts.password}
          hint={accountsTexts.passwordHint}
          type="password"
          autocomplete="new-password"
          optional
          value={password.value}
          onInput={(value) => (password.value = value)}
        />
        {problem.value && <ErrorNote problem={problem.value} />}
        <Actions>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button type="submit" look="primary" busy={busy.value}>
            {accountsTexts.create}
          </Button>
        </Actions>
      </form>
    </Dialog>
  );
}
