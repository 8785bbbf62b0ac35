import { call } from '../../api/index.ts';
import { nav } from '../../texts/common.ts';
import { PageHead } from '../../ui/index.ts';
import { AuditCard } from '../operator/audit-card.tsx';
import { DeletionCard } from './deletion-card.tsx';
import { ExportCard } from './export-card.tsx';

/** Page of the account: its log, its exports, its deletion. */
export default function AccountPage() {
  return (
    <>
      <PageHead title={nav.account} />
      <div class="stack stack-loose">
        <ExportCard />
        <AuditCard
          leadsOn={false}
          load={async (query) => (await call('listMyAuditLog', { query })).entries}
        />
        <DeletionCard />
      </div>
    </>
  );
}
