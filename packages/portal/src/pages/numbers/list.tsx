import type { PortalNumber } from '@parley/contract';
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { call, useLive, useResource, wholeList } from '../../api/index.ts';
import { inBackground } from '../../kernel/background.ts';
import { may } from '../../state/visit.ts';
import { nav } from '../../texts/common.ts';
import { healthTexts } from '../../texts/health.ts';
import { planNames } from '../../texts/labels.ts';
import { numbersTexts, registerTexts } from '../../texts/numbers.ts';
import { Meter } from '../../ui/charts/index.ts';
import {
  Badge,
  Button,
  type Column,
  Empty,
  formatPhone,
  Loaded,
  PageHead,
  Segments,
  Skeleton,
  Table,
} from '../../ui/index.ts';
import { HealthBadge, urgencyOf } from './health/health-badge.tsx';
import { NumberCard } from './number-card.tsx';
import './numbers.css';
import { RegisterDialog } from './register-dialog.tsx';
import { StatusBadge } from './status-badge.tsx';

const POLL_MS = 10_000;
/** More numbers are shown as a table. */
const CARDS_MAX = 12;

type Order = 'number' | 'health';
const ORDERS: readonly { value: Order; label: string }[] = [
  { value: 'number', label: healthTexts.byNumber },
  { value: 'health', label: healthTexts.byHealth },
];

const COLUMNS: readonly Column<PortalNumber>[] = [
  {
    title: numbersTexts.one,
    cell: ({ phone, nickname }) => (
      <a class="number-link" href={`/portal/numbers/${phone}`}>
        {formatPhone(phone)} {nickname !== null && <span class="quiet">{nickname}</span>}
      </a>
    ),
    share: 2,
  },
  { title: numbersTexts.status, cell: (number) => <StatusBadge number={number} />, share: 1.5 },
  {
    title: healthTexts.column,
    cell: ({ health }) => (health ? <HealthBadge state={health.state} /> : '–'),
    share: 1.5,
  },
  { title: numbersTexts.plan, cell: ({ plan }) => <Badge>{planNames[plan]}</Badge>, secondary: true },
  {
    title: numbersTexts.used,
    cell: ({ used, quota }) => <Meter label={numbersTexts.usedOf(used, quota)} share={used / quota} />,
    share: 1.5,
    secondary: true,
  },
];

export default function NumbersPage() {
  const numbers = useResource(() => wholeList((page) => call('listNumbers', { query: page })), [], {
    everyMs: POLL_MS,
  });
  const registers = useSignal(false);
  useLive(({ kind }) => {
    if (kind === 'connection' || kind === 'health') inBackground(numbers.reload());
  });
  const register = may('administer') && (
    <Button
      look="primary"
      icon="plus"
      onClick={() => {
        registers.value = true;
      }}
    >
      {registerTexts.title}
    </Button>
  );
  return (
    <>
      <PageHead title={nav.numbers} lead={numbersTexts.lead}>
        {numbers.data && numbers.data.numbers.length > 0 && register}
      </PageHead>
      <Loaded resource={numbers} skeleton={<Skeleton tall lines={2} />}>
        {(data) => <NumberList numbers={data.numbers} register={register} />}
      </Loaded>
      {registers.value && (
        <RegisterDialog
          hasNumbers={(numbers.data?.numbers.length ?? 0) > 0}
          onClose={() => {
            registers.value = false;
          }}
        />
      )}
    </>
  );
}

function NumberList({
  numbers,
  register,
}: {
  numbers: readonly PortalNumber[];
  register: ComponentChildren;
}) {
  const order = useSignal<Order>('number');
  if (numbers.length === 0) {
    return (
      <Empty icon="phone" title={numbersTexts.emptyTitle} action={register}>
        {numbersTexts.emptyText}
      </Empty>
    );
  }
  const sorted = order.value === 'health' ? numbers.toSorted((a, b) => urgencyOf(a) - urgencyOf(b)) : numbers;
  return (
    <div class="stack">
      {numbers.length > 1 && (
        <Segments
          label={healthTexts.sort}
          value={order.value}
          choices={ORDERS}
          onChange={(next) => {
            order.value = next;
          }}
        />
      )}
      {sorted.length > CARDS_MAX ? (
        <div class="card card-flush">
          <Table label={nav.numbers} columns={COLUMNS} rows={sorted} keyOf={({ slot_id }) => slot_id} />
        </div>
      ) : (
        <div class="cards">
          {sorted.map((number) => (
            <NumberCard key={number.slot_id} number={number} />
          ))}
        </div>
      )}
    </div>
  );
}
