import type { Account, FailingReceiverOfAccount } from '@parley/contract';
import { call, useResource } from '../../../api/index.ts';
import { troubleTexts } from '../../../texts/oversight.ts';
import { Ago, Card, type Column, formatNumber, Loaded, NotAll, Table } from '../../../ui/index.ts';
import { titleOfFailure } from '../../webhooks/failure.tsx';
import { addressOfAccount, nameOfAccount } from '../directory.ts';

const POLL_MS = 10_000;

const columnsFor = (
  accounts: readonly Account[] | undefined,
): readonly Column<FailingReceiverOfAccount>[] => [
  {
    title: troubleTexts.failure,
    cell: ({ cause, url, status_code }) => titleOfFailure(cause, url, status_code),
    share: 2.4,
  },
  {
    title: troubleTexts.account,
    cell: ({ account_id }) => (
      <a href={addressOfAccount(account_id)}>{nameOfAccount(accounts, account_id)}</a>
    ),
    share: 1.4,
  },
  {
    title: troubleTexts.waiting,
    cell: ({ waiting }) => formatNumber(waiting),
    share: 0.8,
    secondary: true,
  },
  {
    title: troubleTexts.since,
    cell: ({ failing_since_unix }) => <Ago at={failing_since_unix} />,
    share: 1,
    atEnd: true,
    secondary: true,
  },
];

/** Failing receivers, failing longest first. */
export function FailingCard({ accounts }: { accounts: readonly Account[] | undefined }) {
  const failing = useResource(() => call('listFailingOfAll'), [], { everyMs: POLL_MS });
  return (
    <Card flush title={troubleTexts.failing}>
      <Loaded resource={failing}>
        {({ receivers, has_more }) =>
          receivers.length === 0 ? (
            <p class="card-note quiet">{troubleTexts.noneFailing}</p>
          ) : (
            <>
              <Table
                label={troubleTexts.failing}
                columns={columnsFor(accounts)}
                rows={receivers}
                keyOf={({ account_id, url }) => `${account_id} ${url}`}
              />
              {has_more && <NotAll>{troubleTexts.failingNotAll}</NotAll>}
            </>
          )
        }
      </Loaded>
    </Card>
  );
}
