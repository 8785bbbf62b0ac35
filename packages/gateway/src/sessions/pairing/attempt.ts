import { PASSKEY_LIFETIME_SECONDS, type PasskeyErrorCode } from '@parley/contract';
import { type CanonicalLines, type Clock, type Random, type Timer, writeLine } from '#kernel';
import type { NetworkDriver, PairingAttempt, PairingProgress, PasskeyFailure } from '#network';
import type { OnboardingRow, Store } from '#platform/store';
import type { ClaimedSession } from '../session-queries.ts';
import type { Log } from '../types.ts';
import {
  endOnboarding,
  keepPairing,
  type Outcome,
  type Showing,
  showOnboarding,
  tooLate,
} from './onboarding-queries.ts';
import { hashOf, newToken } from './owner-link-queries.ts';
import { answersChallenge, grouped, type OwnersAnswer, type PairingSecrets } from './sealed.ts';

/**
 * One pairing attempt, as its worker conducts it:
 *
 *     pending ──first QR──▶ qr ──fresh QR──▶ qr ──scanned──▶ linked ──the session has arrived──▶ paired
 *        └──────code──────▶ code ──────────typed────────────▶ │
 *     qr, code ──the account is guarded──▶ passkey ──signed──▶ pending ──the phone goes on──▶ linked
 *                                                                 └──▶ confirm ──the codes are the same──▶ pending
 *     any of them ──the driver gave up, its time is up, replaced, cancelled──▶ error
 *
 * The shown values are sealed in the database, where every process can answer a poll. Each step is written before the next is taken;
 * a step that finds the attempt ended there (replaced by a newer one) cancels it here.
 */
export interface Attempt {
  readonly id: string;
  /** Takes the sealed answer from the database. One that was taken before is ignored. */
  take(answer: Uint8Array): void;
  /** Ends it without a write to the database. Idempotent. */
  cancel(): Promise<void>;
}

export interface AttemptParts {
  readonly store: Store;
  readonly driver: Pick<NetworkDriver, 'pair'>;
  readonly secrets: PairingSecrets;
  readonly random: Pick<Random, 'bytes'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly worker: string;
  /** Hosts the session that was just linked; resolves when its first connection has succeeded or failed. */
  readonly host: (claimed: ClaimedSession) => Promise<void>;
  /** Polls would get a different answer now. */
  readonly onShown: (id: string) => void;
  readonly onOver: (id: string) => void;
  /** Called with the outcome, for metrics. */
  readonly onOutcome?: (outcome: PairingOutcome) => void;
}

/** `given_up`: replaced by a newer attempt, cancelled, or abandoned by this process. */
type PairingOutcome = 'paired' | 'expired' | 'failed' | 'given_up' | PasskeyErrorCode;

/** The network renews a QR in time; when one is this late, the attempt starts over. */
const QR_GRACE_MS = 1_000;
const BROKEN = 'The pairing could not be finished; start it again.';

export const ERROR_CODES: Record<PasskeyFailure, PasskeyErrorCode> = {
  no_passkey: 'passkey_missing',
  refused: 'passkey_refused',
  expired: 'passkey_expired',
  not_continued: 'passkey_not_continued',
  superseded: 'passkey_superseded',
};

/** The question to the owner at this moment. */
type Asked = Extract<PairingProgress, { kind: 'passkey' | 'confirm' }>;

export function conductAttempt(parts: AttemptParts, row: OnboardingRow): Attempt {
  const { store, clock, log, secrets } = parts;
  const { id } = row;
  let conversation: PairingAttempt | undefined;
  let overdue: Timer | undefined;
  let isLinked = false;
  let isOver = false;
  let asked: Asked | undefined;
  let token: string | undefined;
  let taken: Uint8Array | undefined;
  /** Number of steps that the driver has emitted. */
  let stepCount = 0;
  let steps = Promise.resolve();

  function logStep(
    step: CanonicalLines['pairing.step']['step'],
    facts: Pick<CanonicalLines['pairing.step'], 'method' | 'outcome'> = {},
  ): void {
    writeLine(log, 'info', 'pairing.step', { onboardingId: id, slotId: row.slot_id, step, ...facts });
  }

  function converse(): void {
    conversation = parts.driver.pair({
      linkId: row.link_id,
      phone: row.phone,
      method: row.method,
      onProgress(progress) {
        if (progress.kind === 'paired') isLinked = true;
        stepCount += 1;
        const turn = stepCount;
        takeStep(() => follow(progress, turn));
      },
    });
  }

  function takeStep(step: () => Promise<void>): void {
    steps = steps.then(async () => {
      if (isOver) return;
      await step().catch((error: unknown) => {
        log.warn({ onboarding: id, err: error }, 'a step of a pairing attempt failed');
        return finish({ status: 'error', error: BROKEN }, 'failed').catch((failure: unknown) => {
          log.warn({ onboarding: id, err: failure }, 'the end of a pairing attempt could not be stored');
          return close('failed');
        });
      });
    });
  }

  async function follow(progress: PairingProgress, turn: number): Promise<void> {
    overdue?.cancel();
    if (progress.kind === 'qr') await showQr(progress.qr, progress.expiresAt, turn);
    if (progress.kind === 'code')
      await show({ status: 'code', shown: secrets.sealText(id, grouped(progress.code)) });
    if (progress.kind === 'passkey' || progress.kind === 'confirm') await ask(progress);
    if (progress.kind === 'failed') await fail(progress);
    if (progress.kind === 'paired') await keep(progress);
  }

  async function show(showing: Showing): Promise<void> {
    if (!(await showOnboarding(store, id, showing))) return close();
    logStep(showing.status);
    parts.onShown(id);
  }

  async function showQr(qr: string, until: number, turn: number): Promise<void> {
    await show({ status: 'qr', shown: secrets.sealText(id, qr), until });
    if (isOver) return;
    overdue = clock.after(until + QR_GRACE_MS - clock.now(), () => takeStep(() => startOver(turn)));
  }

  /** From here on the attempt waits for the owner, who gets time for it. */
  async function ask(question: Asked): Promise<void> {
    asked = question;
    const at = clock.now();
    const expiresAt = at + PASSKEY_LIFETIME_SECONDS * 1_000;
    if (question.kind === 'confirm') {
      await show({ status: 'confirm', shown: secrets.sealText(id, grouped(question.code)), expiresAt });
    } else {
      const link = token === undefined ? { at } : undefined;
      token ??= newToken(parts.random);
      const until = Math.min(question.expiresAt, expiresAt);
      const shown = secrets.sealQuestion(id, { options: question.options, until, token });
      const newLink = link && { tokenHash: hashOf(token), ...link };
      await show({ status: 'passkey', shown, expiresAt, ...(newLink && { link: newLink }) });
    }
    if (isOver) return;
    deadline.cancel();
    deadline = endAt(expiresAt);
  }

  function answer(given: OwnersAnswer): void {
    if (given.kind === 'passkey') {
      // The network may have asked another question meanwhile.
      if (asked?.kind === 'passkey' && answersChallenge(given.credential, asked.options))
        conversation?.answerPasskey(given.credential);
    } else if (asked?.kind === 'confirm' && grouped(asked.code) === given.code) conversation?.confirm();
  }

  /** Starts over unless the driver has emitted a step since this turn, even one of the same moment. */
  async function startOver(turn: number): Promise<void> {
    if (isLinked || stepCount !== turn) return;
    await conversation?.cancel();
    converse();
  }

  async function fail({ reason, cause }: Extract<PairingProgress, { kind: 'failed' }>): Promise<void> {
    const code = cause && ERROR_CODES[cause];
    await finish({ status: 'error', error: reason, ...(code && { error_code: code }) }, code ?? 'failed');
  }

  async function keep({ sessionId, lid }: Extract<PairingProgress, { kind: 'paired' }>): Promise<void> {
    const { worker } = parts;
    const at = clock.now();
    const claimed = await keepPairing(store, { onboarding: row, sessionId, lid: lid ?? null, worker, at });
    if (!claimed) return close();
    await parts.host(claimed);
    await finish({ status: 'paired', session_id: sessionId }, 'paired');
  }

  async function finish(outcome: Outcome, ending: PairingOutcome): Promise<void> {
    await store.transaction((trx) => endOnboarding(trx, id, outcome, clock.now()));
    parts.onShown(id);
    await close(ending);
  }

  async function close(outcome: PairingOutcome = 'given_up'): Promise<void> {
    if (isOver) return;
    isOver = true;
    logStep('ended', { outcome });
    parts.onOutcome?.(outcome);
    deadline.cancel();
    overdue?.cancel();
    await conversation?.cancel();
    parts.onOver(id);
  }

  function endAt(time: number): Timer {
    return clock.after(time - clock.now(), () => {
      takeStep(async () => {
        if (!isLinked) await finish(tooLate(asked !== undefined), 'expired');
      });
    });
  }

  let deadline = endAt(row.expires_at);
  logStep('began', { method: row.method });
  converse();

  return {
    id,
    take(found) {
      if (taken && Buffer.compare(taken, found) === 0) return;
      taken = found;
      takeStep(async () => answer(secrets.openAnswer(id, found)));
    },
    cancel: () => close(),
  };
}
