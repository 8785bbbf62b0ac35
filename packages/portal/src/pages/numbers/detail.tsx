import type { PortalNumber } from '@parley/contract';
import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { useRoute } from 'preact-iso';
import { call, type Resource, useLive, useResource } from '../../api/index.ts';
import { inBackground } from '../../kernel/background.ts';
import { may } from '../../state/visit.ts';
import { nav } from '../../texts/common.ts';
import { numberTexts, removeTexts } from '../../texts/numbers.ts';
import { Ago, Button, formatDay, formatPhone, Loaded, Note, PageHead, Skeleton } from '../../ui/index.ts';
import { HealthCard } from './health/health-card.tsx';
import { HistoryCard } from './history/history-card.tsx';
import { InvoicesCard } from './invoices-card.tsx';
import { LinkCard } from './link-card.tsx';
import { LoginCard } from './login-card.tsx';
import { NameDialog } from './name-dialog.tsx';
import './numbers.css';
import { PairedCard, PairingCard } from './pairing-card.tsx';
import { QuotaCard } from './quota-card.tsx';
import { RemoveDialog } from './remove-dialog.tsx';
import { SendingCard } from './sending-card.tsx';
import { StatusBadge } from './status-badge.tsx';

const POLL_MS = 5_000;

export default function NumberPage() {
  const { phone = '' } = useRoute().params;
  const asks = useSignal<'name' | 'remove' | undefined>(undefined);
  const close = (): void => {
    asks.value = undefined;
  };
  const number = useResource(() => call('getNumber', { params: { phone } }), [phone], {
    everyMs: POLL_MS,
  });
  useLive((event) => {
    // Events during the removal are about the end of the number.
    if (event.phone === phone && event.kind !== 'typing' && asks.value !== 'remove')
      inBackground(number.reload());
  });
  return (
    <>
      <PageHead
        title={formatPhone(phone)}
        back={{ href: '/portal/numbers', label: nav.numbers }}
        lead={number.data && <Lead number={number.data} />}
      >
        {number.data && may('build') && (
          <Button small icon="pencil" onClick={() => (asks.value = 'name')}>
            {numberTexts.rename}
          </Button>
        )}
        {number.data && may('administer') && mayRemove(number.data) && (
          <Button small look="danger" onClick={() => (asks.value = 'remove')}>
            {removeTexts.remove}
          </Button>
        )}
      </PageHead>
      {asks.value === 'name' && number.data && (
        <NameDialog number={number.data} onChanged={number.replace} onClose={close} />
      )}
      {asks.value === 'remove' && number.data && <RemoveDialog number={number.data} onClose={close} />}
      <Loaded resource={number} skeleton={<Skeleton tall lines={3} />}>
        {(data) => <NumberCards key={phone} number={data} resource={number} />}
      </Loaded>
    </>
  );
}

/** Numbers that the operator has suspended cannot be removed. */
function mayRemove({ status, canceled_at }: PortalNumber): boolean {
  return status === 'active' || canceled_at !== null;
}

function Lead({ number }: { number: PortalNumber }) {
  return (
    <span class="row">
      {number.nickname !== null && <strong>{number.nickname}</strong>}
      <StatusBadge number={number} />
    </span>
  );
}

function NumberCards({ number, resource }: { number: PortalNumber; resource: Resource<PortalNumber> }) {
  const state = number.session?.status;
  const isLinked = state !== undefined && state !== 'logged_out';
  // The link event may precede the next poll of the pairing; compares with the state when the page was opened.
  const wasUnlinked = useRef(false);
  wasUnlinked.current ||= !isLinked;
  return (
    <div class="stack stack-loose">
      {isLinked && wasUnlinked.current && <PairedCard isConnected={state === 'connected'} />}
      {state === 'logged_out' && (
        <Note tone="warning" icon="unlink">
          {sanctionOf(number) ?? numberTexts.loggedOutText}
        </Note>
      )}
      {number.session?.reason === 'passkey_required' && may('build') && (
        <LoginCard phone={number.phone} onConnected={() => inBackground(resource.reload())} />
      )}
      {isLinked && (
        <LinkCard
          number={number}
          onChanged={resource.replace}
          onUnlinked={() => inBackground(resource.reload())}
        />
      )}
      {!isLinked &&
        number.status === 'active' &&
        (may('build') ? (
          <PairingCard phone={number.phone} onPaired={() => inBackground(resource.reload())} />
        ) : (
          <Note icon="info">{numberTexts.linkedByOthers}</Note>
        ))}
      {number.status !== 'active' && (
        <Note tone="warning" icon="lock">
          {whyUnusable(number)}
        </Note>
      )}
      {number.session && <DeviceNotice phone={number.phone} />}
      {number.session && <HealthCard phone={number.phone} />}
      <div class="number-cards">
        <QuotaCard number={number} onChanged={resource.replace} />
        <SendingCard sending={number.sending} />
      </div>
      <HistoryCard phone={number.phone} />
      <InvoicesCard phone={number.phone} />
    </div>
  );
}

/** The last device that was linked elsewhere, while the event log keeps the event. */
function DeviceNotice({ phone }: { phone: string }) {
  const linked = useResource(
    () => call('listActivity', { query: { phone, kind: 'device_linked', limit: 1 } }),
    [phone],
    { everyMs: POLL_MS },
  );
  const [last] = linked.data?.events ?? [];
  if (!last) return null;
  return (
    <Note tone="warning" icon="warning">
      {numberTexts.deviceLinked} <Ago at={last.at_unix} />. {numberTexts.deviceLinkedAction}
    </Note>
  );
}

function whyUnusable({ status, canceled_at }: PortalNumber): string {
  if (canceled_at !== null) return numberTexts.canceledText(formatDay(canceled_at));
  return status === 'inactive' ? numberTexts.inactiveText : numberTexts.suspendedText;
}

/** Sanction of the network; undefined when the number was merely unlinked. */
function sanctionOf({ session }: PortalNumber): string | undefined {
  return session?.reason === 'logged_out' ? undefined : session?.detail;
}
