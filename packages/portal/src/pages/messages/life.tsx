import type { MessageLife } from '@parley/contract';
import { useRoute } from 'preact-iso';
import { call, useLive, useResource } from '../../api/index.ts';
import { inBackground } from '../../kernel/background.ts';
import { personOf } from '../../texts/events.ts';
import { failureReasons, messageStates } from '../../texts/labels.ts';
import { lifeTexts, messagesTexts } from '../../texts/messages.ts';
import {
  Card,
  CopyButton,
  Fact,
  Facts,
  formatPhone,
  formatTime,
  Icon,
  LinkButton,
  LoadedPage,
  Note,
  PageHead,
} from '../../ui/index.ts';
import { DeliveriesCard } from './deliveries-card.tsx';
import { StateBadge } from './state-badge.tsx';
import './messages.css';

/** Polled, because the event stream does not report deliveries. */
const POLL_MS = 3_000;
const BACK = { href: '/portal/messages', label: lifeTexts.back };

/** Page of one sent message. */
export default function MessageLifePage() {
  const { message: message_id = '' } = useRoute().params;
  const life = useResource(() => call('getMessageLife', { params: { message_id } }), [message_id], {
    everyMs: POLL_MS,
  });
  useLive(({ event }) => {
    if (event.message_id === message_id) inBackground(life.reload());
  });
  const missing = { icon: 'send', title: lifeTexts.missingTitle, text: lifeTexts.missingText } as const;
  return (
    <LoadedPage resource={life} back={BACK} missing={missing}>
      {(message) => (
        <>
          <PageHead
            title={lifeTexts.title(message.type)}
            back={BACK}
            lead={<StateBadge state={message.status} />}
          />
          <div class="stack stack-loose">
            {message.reason && (
              <Note tone="warning" icon="warning">
                {failureReasons[message.reason]}
              </Note>
            )}
            {message.waiting && <Waiting waiting={message.waiting} phone={message.phone} />}
            <Steps steps={message.steps} />
            <Details message={message} />
            <DeliveriesCard deliveries={message.deliveries} />
          </div>
        </>
      )}
    </LoadedPage>
  );
}

function Waiting({ waiting, phone }: { waiting: NonNullable<MessageLife['waiting']>; phone: string }) {
  const { cause, ahead, attempts, due_at_unix } = waiting;
  return (
    <Card
      title={lifeTexts.waitsTitle}
      actions={
        <LinkButton small icon="phone" href={`/portal/numbers/${phone}`}>
          {lifeTexts.toNumber}
        </LinkButton>
      }
    >
      <p>
        {lifeTexts.waits[cause]} {ahead > 0 && lifeTexts.ahead(ahead)}{' '}
        {attempts > 0 && lifeTexts.attempts(attempts)}{' '}
        {(cause === 'retry' || cause === 'paced') && lifeTexts.next(formatTime(due_at_unix))}
      </p>
    </Card>
  );
}

function Steps({ steps }: { steps: MessageLife['steps'] }) {
  return (
    <Card title={lifeTexts.life}>
      <ol class="life">
        {steps.map(({ state, at_unix, people }) => (
          <li key={state} class={state === 'failed' ? 'life-step life-failed' : 'life-step'}>
            <span class="life-mark" aria-hidden="true">
              <Icon name={state === 'failed' ? 'cross' : 'check'} size={14} />
            </span>
            <strong>{messageStates[state]}</strong>
            <span class="figures">{at_unix === null ? lifeTexts.timeUnknown : formatTime(at_unix)}</span>
            <span class="quiet small">
              {lifeTexts.states[state]} {people > 1 && lifeTexts.people(people)}
            </span>
          </li>
        ))}
      </ol>
    </Card>
  );
}

function Details({ message }: { message: MessageLife }) {
  const { phone, to, type, message_id, request_id, session_id } = message;
  return (
    <Card title={lifeTexts.facts}>
      <Facts>
        <Fact name={lifeTexts.number}>
          <a href={`/portal/numbers/${phone}`}>{formatPhone(phone)}</a>
        </Fact>
        <Fact name={lifeTexts.to}>{to === '' ? messagesTexts.everybody : personOf(to)}</Fact>
        <Fact name={lifeTexts.type}>{type}</Fact>
      </Facts>
      <Facts fit="wide">
        <Fact name={lifeTexts.id}>
          <span class="row">
            <code>{message_id}</code>
            <CopyButton text={message_id} />
          </span>
        </Fact>
        <Fact name={lifeTexts.request}>
          <span class="row">
            <code>{request_id}</code>
            <CopyButton text={request_id} />
          </span>
        </Fact>
        <Fact name={lifeTexts.session}>
          <code>{session_id}</code>
        </Fact>
      </Facts>
    </Card>
  );
}
