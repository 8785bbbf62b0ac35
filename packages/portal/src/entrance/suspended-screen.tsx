import { useEffect } from 'preact/hooks';
import { inBackground } from '../kernel/background.ts';
import { everyWhileVisible } from '../kernel/clock.ts';
import { lookAround } from '../state/visit.ts';
import { gateTexts } from '../texts/entrance.ts';
import { Note } from '../ui/index.ts';
import { EntranceFrame } from './frame.tsx';
import { Leave } from './leave.tsx';

const LOOK_EVERY_MS = 15_000;

export function SuspendedScreen() {
  useEffect(() => everyWhileVisible(LOOK_EVERY_MS, () => inBackground(lookAround())), []);
  return (
    <EntranceFrame title={gateTexts.suspendedTitle}>
      <div class="stack">
        <h1>{gateTexts.suspendedTitle}</h1>
        <Note tone="warning" icon="lock">
          {gateTexts.suspendedText}
        </Note>
        <p>{gateTexts.suspendedNext}</p>
      </div>
      <Leave />
    </EntranceFrame>
  );
}
