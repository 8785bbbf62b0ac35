import { useLocation } from 'preact-iso';
import { me, signOut } from '../state/visit.ts';
import { visitTexts } from '../texts/account.ts';
import { Button, formatTime, Note } from '../ui/index.ts';

/** Notice above every page while the operator visits the account. */
export function VisitNotice() {
  const { route } = useLocation();
  const visit = me.value?.visit;
  const account = me.value?.account_id;
  if (!visit) return null;
  return (
    <Note tone="warning" icon="info">
      <div class="stack">
        <p>{visitTexts.notice(me.value?.name ?? '', visit.operator, formatTime(visit.until))}</p>
        <div class="row">
          <Button
            small
            onClick={async () => {
              await signOut();
              route(`/portal/operator/accounts/${account}`);
            }}
          >
            {visitTexts.end}
          </Button>
        </div>
      </div>
    </Note>
  );
}
