import { useSignal } from '@preact/signals';
import { inBackground } from '../kernel/background.ts';
import { may, me, signOut, signOutAsOperator, signOutEverywhere } from '../state/visit.ts';
import { nav, shell } from '../texts/common.ts';
import { Button, ConfirmDialog, Icon } from '../ui/index.ts';
import './account-menu.css';

const MENU = 'account-menu';
const TIME_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

export function AccountMenu() {
  const asks = useSignal(false);
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
          <span class="quiet small">{shell.timeZone(TIME_ZONE)}</span>
        </p>
        <a class="account-item" href="/portal/security" onClick={hideMenu}>
          <Icon name="lock" />
          {nav.security}
        </a>
        {may('administer') && (
          <a class="account-item" href="/portal/account" onClick={hideMenu}>
            <Icon name="document" />
            {nav.account}
          </a>
        )}
        <MenuItem icon="server" label={shell.signOutEverywhere} onClick={() => (asks.value = true)} />
        <MenuItem icon="external" label={shell.signOut} onClick={() => inBackground(signOut())} />
      </div>
      {asks.value && (
        <ConfirmDialog
          title={shell.signOutEverywhere}
          text={shell.signOutEverywhereText}
          confirm={shell.signOutEverywhere}
          onConfirm={signOutEverywhere}
          onClose={() => (asks.value = false)}
        />
      )}
    </div>
  );
}

function hideMenu(): void {
  document.getElementById(MENU)?.hidePopover();
}

export function OperatorMenu() {
  return (
    <span class="account">
      <Button look="quiet" small onClick={() => inBackground(signOutAsOperator())}>
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
  icon: 'server' | 'external';
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
