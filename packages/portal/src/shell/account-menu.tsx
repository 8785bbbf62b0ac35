import { PASSWORD_MIN_LENGTH } from '@parley/contract';
import { useSignal } from '@preact/signals';
import { call } from '../api/index.ts';
import { me, signOut, signOutAsOperator, signOutEverywhere } from '../state/visit.ts';
import { shell } from '../texts/common.ts';
import { entranceTexts } from '../texts/entrance.ts';
import { Button, ConfirmDialog, FormDialog, Icon, TextField, toast } from '../ui/index.ts';
import './account-menu.css';

const MENU = 'account-menu';

export function AccountMenu() {
  const open = useSignal<'password' | 'everywhere' | undefined>(undefined);
  const close = (): void => {
    open.value = undefined;
  };
  return (
    <div class="account">
      <button type="button" class="account-button" popovertarget={MENU} aria-label={shell.account}>
        <span class="account-initial" aria-hidden="true">
          {me.value?.name.charAt(0).toUpperCase()}
        </span>
      </button>
      <div class="account-menu" id={MENU} popover="auto">
        <p class="account-who">
          <strong>{me.value?.name}</strong>
          <span class="quiet small">{me.value?.email}</span>
        </p>
        <MenuItem icon="lock" label={shell.changePassword} onClick={() => (open.value = 'password')} />
        <MenuItem icon="server" label={shell.signOutEverywhere} onClick={() => (open.value = 'everywhere')} />
        <MenuItem icon="external" label={shell.signOut} onClick={() => void signOut()} />
      </div>
      {open.value === 'password' && <PasswordDialog onClose={close} />}
      {open.value === 'everywhere' && (
        <ConfirmDialog
          title={shell.signOutEverywhere}
          text={shell.signOutEverywhereText}
          confirm={shell.signOutEverywhere}
          onConfirm={signOutEverywhere}
          onClose={close}
        />
      )}
    </div>
  );
}

export function OperatorMenu() {
  return (
    <span class="account">
      <Button look="quiet" small onClick={() => void signOutAsOperator()}>
        {shell.signOut}
      </Button>
    </span>
  );
}

function MenuItem({
  icon,
  label,
  onClick,
}: {
  icon: 'lock' | 'server' | 'external';
  label: string;
  onClick: () => void;
}) {
  return (
    <button
      type="button"
      class="account-item"
      popovertarget={MENU}
      popovertargetaction="hide"
      onClick={onClick}
    >
      <Icon name={icon} />
      {label}
    </button>
  );
}

function PasswordDialog({ onClose }: { onClose: () => void }) {
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
        type="password"
        autocomplete="current-password"
        required
        value={current.value}
        onInput={(value) => (current.value = value)}
      />
      <TextField
        label={shell.newPassword}
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
