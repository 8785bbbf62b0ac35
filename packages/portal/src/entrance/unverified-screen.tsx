import { useEffect } from 'preact/hooks';
import { call, useAction } from '../api/index.ts';
import { inBackground } from '../kernel/background.ts';
import { everyWhileVisible } from '../kernel/clock.ts';
import { loadVisit, me } from '../state/visit.ts';
import { verifyTexts } from '../texts/team.ts';
import { Button, ErrorNote, Note, toast } from '../ui/index.ts';
import { EntranceFrame } from './frame.tsx';
import { SignOutButton } from './sign-out-button.tsx';

const POLL_MS = 5_000;

/** Shown until the link in the mail is opened, in any browser. */
export default function UnverifiedScreen() {
  useEffect(() => everyWhileVisible(POLL_MS, () => inBackground(loadVisit())), []);
  const { run, busy, problem } = useAction(async () => {
    await call('askForVerification');
    toast(verifyTexts.sentAgain);
  });
  return (
    <EntranceFrame title={verifyTexts.title}>
      <div class="stack">
        <h1>{verifyTexts.title}</h1>
        <Note icon="inbox">{verifyTexts.waiting(me.value?.email ?? '')}</Note>
        {problem.value && <ErrorNote problem={problem.value} />}
        <Button busy={busy.value} onClick={() => inBackground(run())}>
          {verifyTexts.again}
        </Button>
      </div>
      <SignOutButton />
    </EntranceFrame>
  );
}
