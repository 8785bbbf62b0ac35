import { useSignal } from '@preact/signals';
import { call, useAction } from '../api/index.ts';
import { inBackground } from '../kernel/background.ts';
import { loadVisit, may, me } from '../state/visit.ts';
import { gateTexts } from '../texts/entrance.ts';
import { Button, CheckField, ErrorNote, LinkButton, Note } from '../ui/index.ts';
import { EntranceFrame } from './frame.tsx';
import { SignOutButton } from './sign-out-button.tsx';

/** Blocks every other page until the version in force is accepted. */
export function TermsScreen() {
  const accepted = useSignal(false);
  const terms = me.value?.terms;
  const version = terms?.pending_version ?? '';
  const { run, busy, problem } = useAction(async () => {
    // The gateway refuses a superseded version; reloading the sign-in state shows the newer one.
    await call('acceptTerms', { body: { version } }).finally(loadVisit);
  });
  return (
    <EntranceFrame title={gateTexts.termsTitle}>
      <div class="stack">
        <h1>{gateTexts.termsTitle}</h1>
        <p>{gateTexts.termsText(version)}</p>
        {terms?.accepted_version && <p class="quiet">{gateTexts.termsEarlier(terms.accepted_version)}</p>}
        {terms?.url && (
          <LinkButton href={terms.url} target="_blank" icon="external">
            {gateTexts.readTerms}
          </LinkButton>
        )}
        {!may('administer') && <Note icon="info">{gateTexts.termsByOwner}</Note>}
        {may('administer') && (
          <>
            <CheckField
              label={gateTexts.acceptBox(version)}
              checked={accepted.value}
              onChange={(checked) => {
                accepted.value = checked;
              }}
            />
            {problem.value && <ErrorNote problem={problem.value} />}
            <Button
              look="primary"
              busy={busy.value}
              disabled={!accepted.value}
              onClick={() => inBackground(run())}
            >
              {gateTexts.accept}
            </Button>
          </>
        )}
      </div>
      <SignOutButton />
    </EntranceFrame>
  );
}
