import { useEffect } from 'preact/hooks';
import { call, useAction } from '../api/index.ts';
import { inBackground } from '../kernel/background.ts';
import { everyWhileVisible } from '../kernel/clock.ts';
import { lookAround, me } from '../state/visit.ts';
import { verifyTexts } from '../texts/team.ts';
import { Button, ErrorNote, Note, toast } from '../ui/index.ts';
import { EntranceFrame } from './frame.tsx';
import { Leave } from './leave.tsx';

const LOOK_EVERY_MS = 5_000;

/** Until the link in the mail was opened, in whichever browser. */
export default function UnverifiedScreen() {
  useEffect(() => everyWhileVisible(LOOK_EVERY_MS, () => inBackground(lookAround())), []);
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
      <Leave />
    </EntranceFrame>
  );
}
