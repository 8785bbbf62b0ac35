import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { everyWhileVisible, now } from '../../kernel/clock.ts';

const POLL_MS = 250;

export interface Countdown {
  /** Whole seconds, rounded up; 0 when sending is possible. */
  readonly secondsLeft: number;
  readonly start: (seconds: number) => void;
}

export function useCountdown(): Countdown {
  const until = useSignal(0);
  const secondsLeft = useSignal(0);
  const look = (): void => {
    secondsLeft.value = Math.max(0, Math.ceil((until.value - now()) / 1_000));
  };
  useEffect(() => everyWhileVisible(POLL_MS, look), []);
  return {
    secondsLeft: secondsLeft.value,
    start(seconds) {
      until.value = now() + seconds * 1_000;
      look();
    },
  };
}
