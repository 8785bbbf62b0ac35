import type { Account } from '@parley/contract';
import { useSignal } from '@preact/signals';
import { useLocation } from 'preact-iso';
import { nav } from '../../texts/common.ts';
import { accountsTexts } from '../../texts/operator.ts';
import { Button, Card, type Column, Empty, Loaded, PageHead, Table, TextField } from '../../ui/index.ts';
import { AccountBadge } from './account-badge.tsx';
import { CreateAccountDialog } from './create-account-dialog.tsx';
import { addressOfAccount, useAccounts } from './directory.ts';
import './operator.css';

const COLUMNS: readonly Column<Account>[] = [
  { title: accountsTexts.name, cell: ({ name }) => name, share: 2 },
  { title: accountsTexts.email, cell: ({ email }) => email, share: 2, secondary: true },
  { title: accountsTexts.status, cell: ({ status }) => <AccountBadge status={status} /> },
  {
    title: accountsTexts.terms,
    cell: ({ tos_accepted_version }) =>
      tos_accepted_version ?? <span class="quiet">{accountsTexts.noTerms}</span>,
    secondary: true,
  },
];

export default function AccountsPage() {
  const accounts = useAccounts();
  const creates = useSignal(false);
  const create = (
    <Button look="primary" icon="plus" onClick={() => (creates.value = true)}>
      {accountsTexts.create}
    </Button>
  );
  return (
    <>
      <PageHead title={nav.accounts} lead={accountsTexts.lead}>
        {accounts.data && accounts.data.length > 0 && create}
      </PageHead>
      <Loaded resource={accounts}>
        {(list) =>
          list.length === 0 ? (
            <Empty icon="people" title={accountsTexts.emptyTitle} action={create}>
              {accountsTexts.emptyText}
            </Empty>
          ) : (
            <AccountTable accounts={list} />
          )
        }
      </Loaded>
      {creates.value && <CreateAccountDialog onClose={() => (creates.value = false)} />}
    </>
  );
}

function AccountTable({ accounts }: { accounts: readonly Account[] }) {
  const { route } = useLocation();
  const search = useSignal('');
  const wanted = search.value.trim().toLowerCase();
  const found = accounts.filter(({ name, email }) => `${name} ${email}`.toLowerCase().includes(wanted));
  return (
    <Card flush>
      <div class="list-filter">
        <TextField
          label={accountsTexts.search}
          type="search"
          value={search.value}
          onInput={(value) => (search.value = value)}
        />
      </div>
      {found.length === 0 ? (
        <p class="card-note quiet">{accountsTexts.nothingFound}</p>
      ) : (
        <Table
          label={nav.accounts}
          columns={COLUMNS}
          rows={found}
          keyOf={({ account_id }) => account_id}
          onOpen={({ account_id }) => route(addressOfAccount(account_id))}
        />
      )}
    </Card>
  );
}
