import { useEffect } from 'preact/hooks';
import { inBackground } from '../kernel/background.ts';
import { everyWhileVisible } from '../kernel/clock.ts';
import { loadVisit } from '../state/visit.ts';
import { gateTexts } from '../texts/entrance.ts';
import { Note } from '../ui/index.ts';
import { EntranceFrame } from './frame.tsx';
import { SignOutButton } from './sign-out-button.tsx';

const POLL_MS = 15_000;

export function SuspendedScreen() {
  useEffect(() => everyWhileVisible(POLL_MS, () => inBackground(loadVisit())), []);
  return (
    <EntranceFrame title={gateTexts.suspendedTitle}>
      <div class="stack">
        <h1>{gateTexts.suspendedTitle}</h1>
        <Note tone="warning" icon="lock">
          {gateTexts.suspendedText}
        </Note>
        <p>{gateTexts.suspendedNext}</p>
      </div>
      <SignOutButton />
    </EntranceFrame>
  );
}
