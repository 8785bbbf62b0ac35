import type { TwoFactorBegun } from '@parley/contract';
import { useSignal } from '@preact/signals';
import { call, useResource } from '../../api/index.ts';
import { inBackground } from '../../kernel/background.ts';
import { words } from '../../texts/common.ts';
import { securityTexts } from '../../texts/security.ts';
import {
  Actions,
  Badge,
  Button,
  Card,
  CodePanel,
  Dialog,
  FormDialog,
  Loaded,
  SecretPanel,
  TextField,
  toast,
} from '../../ui/index.ts';
import { QrCode } from '../../ui/qr-code.tsx';

type Step =
  | { readonly at: 'password' | 'off' }
  | { readonly at: 'scan'; readonly begun: TwoFactorBegun }
  | { readonly at: 'codes'; readonly codes: readonly string[] };

export function TwoFactorCard() {
  const state = useResource(() => call('getTwoFactor'), []);
  const step = useSignal<Step | undefined>(undefined);
  const close = (): void => {
    step.value = undefined;
    inBackground(state.reload());
  };
  const enabled = state.data?.enabled;
  return (
    <Card
      title={
        <>
          {securityTexts.twoFactor}{' '}
          {enabled !== undefined && (
            <Badge tone={enabled ? 'good' : 'idle'}>{enabled ? securityTexts.on : securityTexts.off}</Badge>
          )}
        </>
      }
      actions={
        enabled !== undefined && (
          <Button small onClick={() => (step.value = { at: enabled ? 'off' : 'password' })}>
            {enabled ? securityTexts.turnOff : securityTexts.turnOn}
          </Button>
        )
      }
    >
      <Loaded resource={state}>
        {(data) => (
          <p>{data.enabled ? securityTexts.onText(data.recovery_codes_left) : securityTexts.offText}</p>
        )}
      </Loaded>
      {step.value?.at === 'password' && (
        <BeginDialog onBegun={(begun) => (step.value = { at: 'scan', begun })} onClose={close} />
      )}
      {step.value?.at === 'scan' && (
        <ScanDialog
          begun={step.value.begun}
          onConfirmed={(codes) => (step.value = { at: 'codes', codes })}
          onClose={close}
        />
      )}
      {step.value?.at === 'codes' && <CodesDialog codes={step.value.codes} onClose={close} />}
      {step.value?.at === 'off' && <OffDialog onClose={close} />}
    </Card>
  );
}

function BeginDialog({
  onBegun,
  onClose,
}: {
  onBegun: (begun: TwoFactorBegun) => void;
  onClose: () => void;
}) {
  const password = useSignal('');
  const begun = useSignal<TwoFactorBegun | undefined>(undefined);
  return (
    <FormDialog
      title={securityTexts.beginTitle}
      submit={securityTexts.next}
      lead={<p>{securityTexts.beginText}</p>}
      onSubmit={async () => {
        begun.value = await call('beginTwoFactor', { body: { password: password.value } });
      }}
      onClose={() => (begun.value ? onBegun(begun.value) : onClose())}
    >
      <PasswordField value={password.value} onInput={(value) => (password.value = value)} />
    </FormDialog>
  );
}

function ScanDialog({
  begun,
  onConfirmed,
  onClose,
}: {
  begun: TwoFactorBegun;
  onConfirmed: (codes: readonly string[]) => void;
  onClose: () => void;
}) {
  const code = useSignal('');
  const codes = useSignal<readonly string[] | undefined>(undefined);
  return (
    <FormDialog
      title={securityTexts.beginTitle}
      submit={securityTexts.turnOn}
      lead={
        <>
          <p>{securityTexts.scan}</p>
          <div class="second-factor-qr">
            <QrCode content={begun.uri} label={securityTexts.qr} />
          </div>
          <CodePanel title={securityTexts.cannotScan} code={begun.secret} />
        </>
      }
      onSubmit={async () => {
        const confirmed = await call('confirmTwoFactor', { body: { code: code.value } });
        codes.value = confirmed.recovery_codes;
      }}
      onClose={() => (codes.value ? onConfirmed(codes.value) : onClose())}
    >
      <TextField
        label={securityTexts.code}
        hint={securityTexts.codeHint}
        autocomplete="one-time-code"
        required
        autofocus
        value={code.value}
        onInput={(value) => (code.value = value)}
      />
    </FormDialog>
  );
}

function CodesDialog({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  return (
    <Dialog title={securityTexts.codesTitle} onClose={onClose} keeps>
      <p>{securityTexts.codesText}</p>
      <div class="recovery-codes">
        <SecretPanel title={securityTexts.codes} secret={codes.join('\n')} />
      </div>
      <Actions>
        <Button look="primary" onClick={onClose}>
          {words.copiedIt}
        </Button>
      </Actions>
    </Dialog>
  );
}

function OffDialog({ onClose }: { onClose: () => void }) {
  const password = useSignal('');
  const code = useSignal('');
  return (
    <FormDialog
      title={securityTexts.offTitle}
      submit={securityTexts.turnOff}
      look="danger"
      onSubmit={async () => {
        await call('endTwoFactor', { body: { password: password.value, code: code.value } });
        toast(securityTexts.turnedOff);
      }}
      onClose={onClose}
    >
      <PasswordField value={password.value} onInput={(value) => (password.value = value)} />
      <TextField
        label={securityTexts.anyCode}
        hint={securityTexts.anyCodeHint}
        autocomplete="one-time-code"
        required
        value={code.value}
        onInput={(value) => (code.value = value)}
      />
    </FormDialog>
  );
}

function PasswordField({ value, onInput }: { value: string; onInput: (value: string) => void }) {
  return (
    <TextField
      label={securityTexts.yourPassword}
      type="password"
      autocomplete="current-password"
      required
      autofocus
      value={value}
      onInput={onInput}
    />
  );
}
