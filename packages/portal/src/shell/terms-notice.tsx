import { call, useAction } from '../api/index.ts';
import { inBackground } from '../kernel/background.ts';
import { loadVisit, may, me } from '../state/visit.ts';
import { termsNoticeTexts } from '../texts/common.ts';
import { Button, ErrorNote, formatTime, LinkButton, Note } from '../ui/index.ts';

/** Notice above every owner page, from the announcement of new terms until a member accepts them. */
export function TermsNotice() {
  const upcoming = me.value?.terms.upcoming;
  const { run, busy, problem } = useAction(async () => {
    if (upcoming)
      await call('acceptTerms', { body: { version: upcoming.version } }).finally(() =>
        inBackground(loadVisit()),
      );
  });
  if (!upcoming) return null;
  return (
    <Note tone="warning" icon="document">
      <div class="stack">
        <p>{termsNoticeTexts.text(upcoming.version, formatTime(upcoming.effective_at))}</p>
        {problem.value && <ErrorNote problem={problem.value} />}
        <div class="row">
          <LinkButton small href={upcoming.url} target="_blank" icon="external">
            {termsNoticeTexts.read}
          </LinkButton>
          {may('administer') ? (
            <Button small busy={busy.value} onClick={() => inBackground(run())}>
              {termsNoticeTexts.accept}
            </Button>
          ) : (
            <span>{termsNoticeTexts.byOwner}</span>
          )}
        </div>
      </div>
    </Note>
  );
}
