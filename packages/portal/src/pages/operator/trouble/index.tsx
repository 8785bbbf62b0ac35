import { nav } from '../../../texts/common.ts';
import { troubleTexts } from '../../../texts/oversight.ts';
import { PageHead } from '../../../ui/index.ts';
import { useAccounts } from '../directory.ts';
import '../operator.css';
import { DriftCard } from './drift-card.tsx';
import { FailingCard } from './failing-card.tsx';
import { QuarantineCard } from './quarantine-card.tsx';
import { RestrictedCard } from './restricted-card.tsx';

/** Current problems of all accounts. */
export default function TroublePage() {
  const accounts = useAccounts();
  return (
    <>
      <PageHead title={nav.trouble} lead={troubleTexts.lead} />
      <div class="stack stack-loose">
        <RestrictedCard accounts={accounts.data} />
        <FailingCard accounts={accounts.data} />
        <QuarantineCard accounts={accounts.data} />
        <DriftCard />
      </div>
    </>
  );
}
