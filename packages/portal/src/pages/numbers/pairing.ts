import {
  ONBOARDING_LIFETIME_SECONDS,
  ONBOARDING_POLL_INTERVAL_SECONDS,
  type Onboarding,
  type PasskeyCredential,
} from '@parley/contract';
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { asProblem, call, Problem, unlessProblem } from '../../api/index.ts';
import { inBackground } from '../../kernel/background.ts';
import { everyWhileVisible, nowUnix } from '../../kernel/clock.ts';
import { type ScreenCode, showToPhones } from '../../state/screen.ts';
import { passkeyAdvice } from '../../texts/passkey.ts';
import { sentence } from '../../ui/format.ts';

export type PairingMethod = 'qr' | 'code';

export interface Pairing {
  /** Undefined before the first start. */
  readonly state: Onboarding | undefined;
  readonly problem: Problem | undefined;
  /** Unix seconds at which the attempt expires. */
  readonly endsAt: number;
  readonly start: (method: PairingMethod) => Promise<void>;
  readonly answer: (credential: PasskeyCredential) => Promise<void>;
  readonly confirm: () => Promise<void>;
  readonly giveUp: () => Promise<void>;
}

/** States of a running attempt. */
const RUNNING: ReadonlySet<string> = new Set(['pending', 'qr', 'code', 'passkey', 'confirm']);

/** Follows pairing attempts of a number until one succeeds or fails. Leaving the page only stops the polling. */
export function usePairing(phone: string, onPaired: () => void): Pairing {
  const state = useSignal<Onboarding | undefined>(undefined);
  const problem = useSignal<Problem | undefined>(undefined);
  const onboarding = useRef<string | undefined>(undefined);
  const endsAt = useRef(0);

  async function start(method: PairingMethod): Promise<void> {
    problem.value = undefined;
    state.value = { onboard_id: '', status: 'pending' };
    endsAt.current = nowUnix() + ONBOARDING_LIFETIME_SECONDS;
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
    // Another attempt may have begun meanwhile.
    if (id !== onboarding.current) return;
    state.value = polled;
    if (polled.status === 'paired') onPaired();
    if (polled.status === 'error') fail(new Problem(400, inWords(polled)));
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
        // The next poll replaces a lost one.
        inBackground(poll().catch(unlessProblem));
      }),
    [phone],
  );
  useEffect(() => showToPhones(() => shownToPhones(phone, state.value)), [phone]);

  const params = () => ({ params: { id: onboarding.current ?? '' } });
  return {
    state: state.value,
    problem: problem.value,
    endsAt: endsAt.current,
    start,
    async answer(body) {
      state.value = await call('answerPairing', { ...params(), body });
    },
    async confirm() {
      state.value = await call('confirmCodes', params());
    },
    async giveUp() {
      await call('cancelPairing', params());
      onboarding.current = undefined;
      state.value = undefined;
    },
  };
}

/** Code for the sandbox phones. Codes to compare are left out; the phone shows its own. */
function shownToPhones(phone: string, state: Onboarding | undefined): ScreenCode | undefined {
  return state && { phone, qr: state.qr, code: state.status === 'code' ? state.code : undefined };
}

function inWords({ error = '', error_code: code }: Onboarding): string {
  const advice = passkeyAdvice[code ?? ''];
  return advice ? `${sentence(error)} ${advice}` : error;
}
