import { type GuardedScreen, type PasskeyRequest, type World, WorldError } from '@parley/sandbox/world';
import type { Clock, Random, Timer } from '#kernel';
import {
  type LoginQuestion,
  PASSKEY_PATIENCE_MS,
  type PairingAttempt,
  type PasskeyCredential,
  type PasskeyFailure,
} from '../../port.ts';
import { newCode } from './code.ts';

/** A guarded phone and the client to be linked, without a wire between them. */
export interface Ceremony extends Omit<PairingAttempt, 'cancel'> {
  /** Resolves when the phone agrees; rejects when it never will, after the attempt reported why. */
  readonly agreed: Promise<void>;
  readonly screen: GuardedScreen;
  end(): void;
}

export interface CeremonyOptions {
  readonly world: World;
  readonly clock: Clock;
  readonly random: Random;
  readonly phone: string;
  readonly report: (progress: LoginQuestion) => void;
}

/** Within this time from the challenge, both sides are known to be at the same place, and need no comparison. */
const NEAR_MS = 5 * 60_000;
const MOST_QUESTIONS = 5;
const CONTINUATION_MS = 2 * 60_000;

const REASONS: Readonly<Record<PasskeyFailure, string>> = {
  no_passkey: 'This account has no passkey yet.',
  refused: 'The passkey was refused.',
  expired: 'The passkey was not used in time.',
  not_continued: 'The phone did not continue.',
  superseded: 'The phone has begun once more.',
};

export function startCeremony({ world, clock, random, phone, report }: CeremonyOptions): Ceremony {
  const { promise: agreed, resolve, reject } = Promise.withResolvers<void>();
  let state: 'asking' | 'checking' | 'comparing' | 'over' = 'asking';
  let screen: GuardedScreen = { stage: 'continue' };
  let question: PasskeyRequest | undefined;
  let askedAt = 0;
  let questions = 0;
  let patience: Timer | undefined;

  function end(): void {
    state = 'over';
    patience?.cancel();
    reject(new WorldError('gone', 'the device that wanted to be linked went away'));
  }

  function fail(cause: PasskeyFailure): void {
    if (state === 'over') return;
    report({ kind: 'failed', cause, reason: REASONS[cause] });
    end();
  }

  function ask(): void {
    question = world.passkeys.request(phone);
    questions += 1;
    if (!question || questions > MOST_QUESTIONS) {
      fail(question ? 'superseded' : 'no_passkey');
      return;
    }
    state = 'asking';
    askedAt = clock.now();
    patience?.cancel();
    patience = clock.after(PASSKEY_PATIENCE_MS, () => fail('expired'));
    report({ kind: 'passkey', options: { ...question }, expiresAt: askedAt + PASSKEY_PATIENCE_MS });
  }

  async function check(challenge: string, credential: PasskeyCredential): Promise<void> {
    const isGood = await world.passkeys.verify(phone, challenge, credential);
    if (state === 'over') return;
    if (world.passkeys.consumeFault(phone, 'passkey_second_request')) return ask();
    if (!isGood || world.passkeys.consumeFault(phone, 'passkey_refused')) return fail('refused');
    if (world.passkeys.consumeFault(phone, 'passkey_no_continuation')) {
      patience?.cancel();
      patience = clock.after(CONTINUATION_MS, () => fail('not_continued'));
    } else if (clock.now() - askedAt < NEAR_MS) {
      agree();
    } else {
      const code = newCode(random);
      screen = { stage: 'compare', code };
      state = 'comparing';
      report({ kind: 'confirm', code, expiresAt: askedAt + PASSKEY_PATIENCE_MS });
    }
  }

  function agree(): void {
    resolve();
    end();
  }

  agreed.catch(() => {});
  ask();

  return {
    agreed,
    get screen() {
      return screen;
    },
    answerPasskey(credential) {
      if (state !== 'asking' || !question) return;
      state = 'checking';
      void check(question.challenge, credential);
    },
    confirm() {
      if (state === 'comparing') agree();
    },
    end,
  };
}
