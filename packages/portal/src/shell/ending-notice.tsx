import { call, useAction } from '../api/index.ts';
import { inBackground } from '../kernel/background.ts';
import { loadVisit, may, me } from '../state/visit.ts';
import { deletionTexts } from '../texts/account.ts';
import { Button, ErrorNote, formatTime, Note, toast } from '../ui/index.ts';

/** Notice above every owner page while the account is scheduled for deletion. */
export function EndingNotice() {
  const deletion = me.value?.deletion;
  const { run, busy, problem } = useAction(async () => {
    await call('keepMyAccount');
    toast(deletionTexts.kept);
    await loadVisit();
  });
  if (!deletion) return null;
  return (
    <Note tone="warning" icon="warning">
      <div class="stack">
        <p>{deletionTexts.pending(formatTime(deletion.due_at))}</p>
        {problem.value && <ErrorNote problem={problem.value} />}
        {may('administer') ? (
          <div class="row">
            <Button small busy={busy.value} onClick={() => inBackground(run())}>
              {deletionTexts.keep}
            </Button>
          </div>
        ) : (
          <p>{deletionTexts.byOwner}</p>
        )}
      </div>
    </Note>
  );
}
