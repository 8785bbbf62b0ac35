import type { Account } from '@parley/contract';
import { useRoute } from 'preact-iso';
import { call, type Resource, useResource } from '../../../api/index.ts';
import { nav } from '../../../texts/common.ts';
import { accountTexts } from '../../../texts/operator.ts';
import { Loaded, PageHead, Skeleton } from '../../../ui/index.ts';
import { AccountBadge } from '../account-badge.tsx';
import { AuditCard } from '../audit-card.tsx';
import { AgreedCard } from '../billing/agreed-card.tsx';
import { AccountCard } from './account-card.tsx';
import { DeletionCard } from './deletion-card.tsx';
import { DevicesCard } from './devices-card.tsx';
import { KeysCard } from './keys-card.tsx';
import { MembersCard } from './members-card.tsx';
import '../operator.css';

/** Page of one account. */
export default function AccountPage() {
  const { account: accountId = '' } = useRoute().params;
  const account = useResource(() => call('getAccount', { params: { account_id: accountId } }), [accountId]);
  return (
    <>
      <PageHead
        title={account.data?.name ?? accountTexts.id}
        back={{ href: '/portal/operator/accounts', label: nav.accounts }}
        lead={account.data && <AccountBadge status={account.data.status} />}
      />
      <Loaded resource={account} skeleton={<Skeleton tall lines={3} />}>
        {(data) => <Cards account={data} resource={account} />}
      </Loaded>
    </>
  );
}

function Cards({ account, resource }: { account: Account; resource: Resource<Account> }) {
  const { account_id } = account;
  return (
    <div class="stack stack-loose">
      <AccountCard account={account} onChanged={resource.replace} />
      <MembersCard accountId={account_id} />
      <DevicesCard accountId={account_id} />
      <AgreedCard accountId={account_id} />
      <KeysCard accountId={account_id} />
      <DeletionCard accountId={account_id} />
      <AuditCard
        of={account_id}
        load={async (query) => (await call('listAuditLog', { query: { ...query, account_id } })).entries}
      />
    </div>
  );
}
