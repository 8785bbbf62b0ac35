import { ONBOARDING_POLL_INTERVAL_SECONDS, type Onboarding } from '@parley/contract';
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { asProblem, call, Problem } from '../../api/index.ts';
import { everyWhileVisible } from '../../kernel/clock.ts';
import { showToPhones } from '../../state/screen.ts';

export type PairingMethod = 'qr' | 'code';

export interface Pairing {
  /** Undefined before the first start. */
  readonly state: Pick<Onboarding, 'status' | 'qr' | 'code'> | undefined;
  readonly problem: Problem | undefined;
  readonly start: (method: PairingMethod) => Promise<void>;
}

/** The states in which there is something to wait for. */
const RUNNING: ReadonlySet<string> = new Set(['pending', 'qr', 'code']);

/** One attempt after another to link a number, followed until it is paired or has failed. Leaving the page only stops watching. */
export function usePairing(phone: string, onPaired: () => void): Pairing {
  const state = useSignal<Onboarding | undefined>(undefined);
  const problem = useSignal<Problem | undefined>(undefined);
  const onboarding = useRef<string | undefined>(undefined);

  async function start(method: PairingMethod): Promise<void> {
    problem.value = undefined;
    state.value = { onboard_id: '', status: 'pending' };
    try {
      const started = await call('startPairing', { params: { phone }, body: { method } });
      onboarding.current = started.onboard_id;
      state.value = started;
      await poll();
    } catch (thrown) {
      fail(asProblem(thrown));
    }
  }

  async function poll(): Promise<void> {
    const id = onboarding.current;
    if (id === undefined) return;
    const polled = await call('getPairing', { params: { id } });
    // Meanwhile another attempt may have begun.
    if (id !== onboarding.current) return;
    state.value = polled;
    if (polled.status === 'paired') onPaired();
    if (polled.status === 'error') fail(new Problem(400, polled.error ?? ''));
    if (!RUNNING.has(polled.status)) onboarding.current = undefined;
  }

  function fail(why: Problem): void {
    onboarding.current = undefined;
    state.value = undefined;
    problem.value = why;
  }

  useEffect(
    () =>
      everyWhileVisible(ONBOARDING_POLL_INTERVAL_SECONDS.min * 1_000, () => {
        // A poll that got lost is made up for by the next.
        poll().catch(() => {});
      }),
    [phone],
  );
  useEffect(
    () => showToPhones(() => state.value && { phone, qr: state.value.qr, code: state.value.code }),
    [phone],
  );
  return { state: state.value, problem: problem.value, start };
}
