import type { Onboarding } from '@parley/contract';
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { inBackground } from '../../kernel/background.ts';
import { everyWhileVisible, nowUnix } from '../../kernel/clock.ts';
import { Confirmation } from '../../passkey/confirmation.tsx';
import { entrance } from '../../state/visit.ts';
import { pairingTexts } from '../../texts/numbers.ts';
import { passkeyTexts } from '../../texts/passkey.ts';
import {
  Button,
  Card,
  CopyButton,
  ErrorNote,
  formatSeconds,
  Icon,
  LinkButton,
  Note,
  Segments,
  Skeleton,
} from '../../ui/index.ts';
import { QrCode } from '../../ui/qr-code.tsx';
import { type Pairing, type PairingMethod, usePairing } from './pairing.ts';

const METHODS = [
  { value: 'qr', label: pairingTexts.qr },
  { value: 'code', label: pairingTexts.code },
] as const;

/** Pairs the number: shows a QR code or a code, renews it, and shows when the phone has accepted it. */
export function PairingCard({ phone, onPaired }: { phone: string; onPaired: () => void }) {
  const method = useSignal<PairingMethod>('qr');
  const pairing = usePairing(phone, onPaired);
  const isRunning = pairing.state !== undefined;
  const wasGuarded = useRef(false);
  wasGuarded.current = isRunning && (wasGuarded.current || isGuarded(pairing));

  function choose(chosen: PairingMethod): void {
    method.value = chosen;
    if (isRunning) inBackground(pairing.start(chosen));
  }

  if (wasGuarded.current && pairing.state) return <GuardedCard pairing={pairing} state={pairing.state} />;
  return (
    <Card
      title={pairingTexts.title}
      actions={
        <Segments label={pairingTexts.method} value={method.value} choices={METHODS} onChange={choose} />
      }
    >
      {pairing.problem && <ErrorNote problem={pairing.problem} />}
      <div class="pairing">
        <Steps method={method.value} />
        <div class="pairing-screen">
          {isRunning ? (
            <Shown pairing={pairing} />
          ) : (
            <Button look="primary" icon="qr" onClick={() => inBackground(pairing.start(method.value))}>
              {pairing.problem ? pairingTexts.restart : pairingTexts.start}
            </Button>
          )}
        </div>
      </div>
      {isRunning && entrance.value?.sandbox && <SandboxHint qr={pairing.state?.qr} />}
    </Card>
  );
}

function isGuarded({ state }: Pairing): boolean {
  return state?.status === 'passkey' || state?.status === 'confirm';
}

/** Steps of a guarded pairing, with a link for the holder of the phone. */
function GuardedCard({ pairing, state }: { pairing: Pairing; state: Onboarding }) {
  const url = state.passkey?.url;
  return (
    <Card
      title={passkeyTexts.title}
      actions={
        <Button look="quiet" small onClick={() => inBackground(pairing.giveUp())}>
          {passkeyTexts.giveUp}
        </Button>
      }
    >
      {state.status === 'passkey' && <p class="quiet">{passkeyTexts.lead}</p>}
      <Confirmation state={state} answer={pairing.answer} confirm={pairing.confirm} giveUp={pairing.giveUp} />
      {url !== undefined && (
        <Note>
          <strong>{passkeyTexts.forOwner}</strong> {passkeyTexts.forOwnerText}
          <CopyButton text={url} label={passkeyTexts.copyLink} />
        </Note>
      )}
    </Card>
  );
}

function Steps({ method }: { method: PairingMethod }) {
  return (
    <ol class="pairing-steps">
      {(method === 'qr' ? pairingTexts.qrSteps : pairingTexts.codeSteps).map((step) => (
        <li key={step}>{step}</li>
      ))}
    </ol>
  );
}

/** Time until the attempt ends; hidden from screen readers, which would read it every second. */
function Countdown({ endsAt }: { endsAt: number }) {
  const left = useSignal(endsAt - nowUnix());
  useEffect(
    () =>
      everyWhileVisible(1_000, () => {
        left.value = endsAt - nowUnix();
      }),
    [endsAt],
  );
  return (
    <p class="quiet small figures" aria-live="off">
      {left.value > 0 && pairingTexts.endsIn(formatSeconds(left.value))}
    </p>
  );
}

function Shown({ pairing: { state, endsAt } }: { pairing: Pairing }) {
  if (state?.qr !== undefined) {
    return (
      <>
        <QrCode content={state.qr} label={pairingTexts.qrLabel} />
        <p class="quiet small">{pairingTexts.qrFresh}</p>
        <Countdown endsAt={endsAt} />
      </>
    );
  }
  if (state?.code !== undefined) {
    return (
      <>
        <output class="pairing-code" aria-label={pairingTexts.codeLabel}>
          {state.code}
        </output>
        <CopyButton text={state.code} label={pairingTexts.copyCode} />
        <Countdown endsAt={endsAt} />
      </>
    );
  }
  return (
    <div class="pairing-waits">
      <Skeleton tall lines={1} />
      <p class="quiet small">{pairingTexts.preparing}</p>
    </div>
  );
}

function SandboxHint({ qr }: { qr: string | undefined }) {
  return (
    <div class="row small quiet">
      <span>{pairingTexts.sandbox}</span>
      <LinkButton small look="quiet" icon="sandbox" href="/portal/sandbox" target="_blank">
        {pairingTexts.openSandbox}
      </LinkButton>
      {qr !== undefined && <CopyButton text={qr} label={pairingTexts.copyQr} />}
    </div>
  );
}

/** Shown when the phone has accepted the code; takes the focus, so that screen readers announce it. */
export function PairedCard({ isConnected }: { isConnected: boolean }) {
  useEffect(() => document.getElementById('paired')?.focus(), []);
  return (
    <Card>
      <div class="paired" id="paired" tabIndex={-1} role="status">
        <span class="paired-mark">
          <Icon name="check" size={32} />
        </span>
        <h2>{isConnected ? pairingTexts.paired : pairingTexts.connecting}</h2>
        <p class="quiet">{isConnected ? pairingTexts.pairedText : pairingTexts.connectingText}</p>
        <div class="row">
          <LinkButton look="primary" icon="send" href="/portal/test-send">
            {pairingTexts.tryIt}
          </LinkButton>
          <LinkButton icon="key" href="/portal/keys">
            {pairingTexts.next}
          </LinkButton>
        </div>
      </div>
    </Card>
  );
}
