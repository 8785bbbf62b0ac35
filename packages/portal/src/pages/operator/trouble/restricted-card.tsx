import type { Account, RegisteredNumber } from '@parley/contract';
import { call, useResource, wholeList } from '../../../api/index.ts';
import { healthStates } from '../../../texts/labels.ts';
import { troubleTexts } from '../../../texts/oversight.ts';
import { Card, type Column, formatPhone, Loaded, Table } from '../../../ui/index.ts';
import { addressOfAccount, nameOfAccount } from '../directory.ts';

const POLL_MS = 10_000;
const HELD_BACK: readonly (string | undefined)[] = ['restricted', 'banned'];

const columnsFor = (accounts: readonly Account[] | undefined): readonly Column<RegisteredNumber>[] => [
  { title: troubleTexts.number, cell: ({ phone }) => formatPhone(phone), share: 1.5 },
  {
    title: troubleTexts.account,
    cell: ({ account_id }) => (
      <a href={addressOfAccount(account_id)}>{nameOfAccount(accounts, account_id)}</a>
    ),
    share: 1.5,
  },
  { title: troubleTexts.state, cell: ({ health }) => health && healthStates[health.state], share: 1 },
];

/** Restricted and banned numbers. */
export function RestrictedCard({ accounts }: { accounts: readonly Account[] | undefined }) {
  const numbers = useResource(() => wholeList((page) => call('listNumbersOfAll', { query: page })), [], {
    everyMs: POLL_MS,
  });
  return (
    <Card flush title={troubleTexts.restricted}>
      <Loaded resource={numbers}>
        {({ devices }) => {
          const held = devices.filter(({ health }) => HELD_BACK.includes(health?.state));
          if (held.length === 0) return <p class="card-note quiet">{troubleTexts.noneRestricted}</p>;
          return (
            <Table
              label={troubleTexts.restricted}
              columns={columnsFor(accounts)}
              rows={held}
              keyOf={({ slot_id }) => slot_id}
            />
          );
        }}
      </Loaded>
    </Card>
  );
}
