import type { Account, HealthState, HostedSession, RegisteredNumber, SessionStatus } from '@parley/contract';
import { useSignal } from '@preact/signals';
import { useLocation } from 'preact-iso';
import { call, useResource, wholeList } from '../../api/index.ts';
import { nav } from '../../texts/common.ts';
import { healthTexts } from '../../texts/health.ts';
import { choicesOf, healthStates, planNames, sessionStates } from '../../texts/labels.ts';
import { numbersTexts } from '../../texts/numbers.ts';
import { allNumbersTexts } from '../../texts/operator.ts';
import { Meter } from '../../ui/charts/index.ts';
import {
  Badge,
  Card,
  type Column,
  Empty,
  formatPhone,
  Loaded,
  PageHead,
  SelectField,
  Table,
  TextField,
} from '../../ui/index.ts';
import { HealthBadge, urgencyOf } from '../numbers/health/health-badge.tsx';
import { SessionBadge } from '../numbers/status-badge.tsx';
import { addressOfAccount, nameOfAccount, useAccounts } from './directory.ts';
import './operator.css';

const POLL_MS = 15_000;

interface Row extends RegisteredNumber {
  readonly session: HostedSession | undefined;
  readonly accountName: string;
}

type Order = 'number' | 'health';
const ORDERS: readonly { value: Order; label: string }[] = [
  { value: 'number', label: healthTexts.byNumber },
  { value: 'health', label: healthTexts.byHealth },
];

type HealthFilter = HealthState | 'all';
const HEALTH: readonly { value: HealthFilter; label: string }[] = [
  { value: 'all', label: allNumbersTexts.allStates },
  ...choicesOf(healthStates),
];

type StateFilter = SessionStatus | 'unlinked' | 'all';
const STATES: readonly { value: StateFilter; label: string }[] = [
  { value: 'all', label: allNumbersTexts.allStates },
  ...choicesOf(sessionStates),
];

const COLUMNS: readonly Column<Row>[] = [
  {
    title: allNumbersTexts.number,
    cell: ({ phone }) => <strong class="figures">{formatPhone(phone)}</strong>,
    share: 1.7,
  },
  {
    title: allNumbersTexts.account,
    cell: ({ account_id, accountName }) => <a href={addressOfAccount(account_id)}>{accountName}</a>,
    share: 1.6,
    secondary: true,
  },
  {
    title: allNumbersTexts.link,
    cell: ({ session }) => <SessionBadge state={session?.status} />,
    share: 1.3,
  },
  {
    title: healthTexts.column,
    cell: ({ health }) => (health ? <HealthBadge state={health.state} /> : '–'),
    secondary: true,
    share: 1.3,
  },
  {
    title: allNumbersTexts.plan,
    cell: ({ plan }) => <Badge tone="accent">{planNames[plan]}</Badge>,
    secondary: true,
  },
  {
    title: allNumbersTexts.used,
    cell: ({ used, quota }) => (
      <Meter label={numbersTexts.usedOf(used, quota)} share={quota === 0 ? 0 : used / quota} />
    ),
    secondary: true,
  },
  {
    title: allNumbersTexts.worker,
    cell: ({ session }) => <code class="quiet">{session?.worker ?? '–'}</code>,
    share: 1.4,
    secondary: true,
  },
];

export default function AllNumbersPage() {
  const accounts = useAccounts();
  const numbers = useResource(
    async () => {
      const [{ devices }, { sessions }] = await Promise.all([
        wholeList((page) => call('listNumbersOfAll', { query: page })),
        wholeList((page) => call('listHostedSessions', { query: page })),
      ]);
      return { devices, sessions };
    },
    [],
    { everyMs: POLL_MS },
  );
  return (
    <>
      <PageHead title={nav.operatorNumbers} lead={allNumbersTexts.lead} />
      <Loaded resource={numbers}>
        {({ devices, sessions }) =>
          devices.length === 0 ? (
            <Empty icon="phone" title={allNumbersTexts.emptyTitle}>
              {allNumbersTexts.emptyText}
            </Empty>
          ) : (
            <NumberTable rows={rowsOf(devices, sessions, accounts.data)} />
          )
        }
      </Loaded>
    </>
  );
}

/** Filter from the address. */
function healthAsked(asked: string | undefined): HealthFilter {
  return HEALTH.find(({ value }) => value === asked)?.value ?? 'all';
}

/** Joins numbers with their current, that is last, session. */
function rowsOf(
  devices: readonly RegisteredNumber[],
  sessions: readonly HostedSession[],
  accounts: readonly Account[] | undefined,
): Row[] {
  const byPhone = new Map(sessions.map((session) => [session.phone, session]));
  return devices.map((device) => ({
    ...device,
    session: byPhone.get(device.phone),
    accountName: nameOfAccount(accounts, device.account_id),
  }));
}

function NumberTable({ rows }: { rows: readonly Row[] }) {
  const search = useSignal('');
  const state = useSignal<StateFilter>('all');
  const health = useSignal<HealthFilter>(healthAsked(useLocation().query.health));
  const order = useSignal<Order>('number');
  const wanted = search.value
    .replace(/^\+/, '')
    .replaceAll(/(?<=\d)\s(?=\d)/g, '')
    .trim()
    .toLowerCase();
  const found = rows.filter(
    ({ phone, accountName, session, health: standing }) =>
      `${phone} ${accountName}`.toLowerCase().includes(wanted) &&
      (state.value === 'all' || (session?.status ?? 'unlinked') === state.value) &&
      (health.value === 'all' || standing?.state === health.value),
  );
  const sorted = order.value === 'health' ? found.toSorted((a, b) => urgencyOf(a) - urgencyOf(b)) : found;
  return (
    <Card flush>
      <div class="list-filter">
        <TextField
          label={allNumbersTexts.search}
          type="search"
          value={search.value}
          onInput={(value) => (search.value = value)}
        />
        <SelectField
          label={allNumbersTexts.state}
          value={state.value}
          choices={STATES}
          onChange={(chosen) => (state.value = chosen)}
        />
        <SelectField
          label={healthTexts.column}
          value={health.value}
          choices={HEALTH}
          onChange={(chosen) => (health.value = chosen)}
        />
        <SelectField
          label={healthTexts.sort}
          value={order.value}
          choices={ORDERS}
          onChange={(chosen) => (order.value = chosen)}
        />
        <p class="quiet small" role="status">
          {allNumbersTexts.count(found.length, rows.length)}
        </p>
      </div>
      {found.length === 0 ? (
        <p class="card-note quiet">{allNumbersTexts.nothingFound}</p>
      ) : (
        <Table label={nav.operatorNumbers} columns={COLUMNS} rows={sorted} keyOf={({ slot_id }) => slot_id} />
      )}
    </Card>
  );
}
