import type { Clock, SealedBox, Timer } from '#kernel';
import type { NetworkDriver, PairingAttempt, PairingProgress } from '#network';
import type { OnboardingRow, Store } from '#store';
import type { ClaimedSession } from '../store.ts';
import type { Log } from '../types.ts';
import { endOnboarding, keepPairing, type Outcome, sealContext, showOnboarding, TOO_LATE } from './store.ts';

/**
 * One pairing attempt, as its worker conducts it:
 *
 *     pending ──first QR──▶ qr ──fresh QR──▶ qr ──scanned──▶ linked ──the session has arrived──▶ paired
 *        └──────code──────▶ code ──────────typed────────────▶ │
 *     pending, qr, code ──the driver gave up, five minutes passed, a newer attempt, a cancelled one──▶ error
 *
 * What is shown lies sealed in the database, where every process can answer a poll. Each step is written before the next is looked at;
 * a step that finds the attempt ended there (a newer one has replaced it) cancels it here.
 */
export interface Attempt {
  readonly id: string;
  /** Ends it without a word to the database. Idempotent. */
  cancel(): Promise<void>;
}

export interface AttemptParts {
  readonly store: Store;
  readonly driver: Pick<NetworkDriver, 'pair'>;
  readonly sealedBox: Pick<SealedBox, 'seal'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly worker: string;
  /** Hosts the session that has just been linked; resolves when its first connection has led somewhere. */
  readonly host: (claimed: ClaimedSession) => Promise<void>;
  /** Something changed for whoever polls. */
  readonly onShown: (id: string) => void;
  readonly onOver: (id: string) => void;
}

/** The network renews a QR in time; one that is this late is asked for by starting over. */
const QR_GRACE_MS = 1_000;
const BROKEN = 'The pairing could not be finished; start it again.';

export function conductAttempt(parts: AttemptParts, row: OnboardingRow): Attempt {
  const { store, clock, log } = parts;
  const { id } = row;
  let conversation: PairingAttempt | undefined;
  let overdue: Timer | undefined;
  let isLinked = false;
  let isOver = false;
  let steps = Promise.resolve();

  function converse(): void {
    conversation = parts.driver.pair({
      linkId: row.link_id,
      phone: row.phone,
      method: row.method,
      onProgress(progress) {
        if (progress.kind === 'paired') isLinked = true;
        takeStep(() => follow(progress));
      },
    });
  }

  function takeStep(step: () => Promise<void>): void {
    steps = steps.then(async () => {
      if (isOver) return;
      await step().catch((error: unknown) => {
        log.warn({ onboarding: id, err: error }, 'a step of a pairing attempt failed');
        return finish({ status: 'error', error: BROKEN }).catch(() => close());
      });
    });
  }

  async function follow(progress: PairingProgress): Promise<void> {
    overdue?.cancel();
    if (progress.kind === 'qr') await show('qr', progress.qr, progress.expiresAt);
    if (progress.kind === 'code') await show('code', grouped(progress.code), null);
    if (progress.kind === 'failed') await finish({ status: 'error', error: progress.reason });
    if (progress.kind === 'paired') await keep(progress);
  }

  async function show(status: 'qr' | 'code', text: string, until: number | null): Promise<void> {
    const shown = parts.sealedBox.seal(Buffer.from(text), sealContext(id));
    if (!(await showOnboarding(store, id, { status, shown, until }))) return close();
    parts.onShown(id);
    if (until !== null) overdue = clock.after(until + QR_GRACE_MS - clock.now(), () => takeStep(startOver));
  }

  async function startOver(): Promise<void> {
    if (isLinked) return;
    await conversation?.cancel();
    converse();
  }

  async function keep({ sessionId, lid }: Extract<PairingProgress, { kind: 'paired' }>): Promise<void> {
    const { worker } = parts;
    const at = clock.now();
    const claimed = await keepPairing(store, { onboarding: row, sessionId, lid: lid ?? null, worker, at });
    if (!claimed) return close();
    await parts.host(claimed);
    await finish({ status: 'paired', session_id: sessionId });
  }

  async function finish(outcome: Outcome): Promise<void> {
    await store.transaction((trx) => endOnboarding(trx, id, outcome, clock.now()));
    parts.onShown(id);
    await close();
  }

  async function close(): Promise<void> {
    if (isOver) return;
    isOver = true;
    deadline.cancel();
    overdue?.cancel();
    await conversation?.cancel();
    parts.onOver(id);
  }

  const deadline = clock.after(row.expires_at - clock.now(), () => {
    takeStep(async () => {
      if (!isLinked) await finish({ status: 'error', error: TOO_LATE });
    });
  });
  converse();

  return { id, cancel: close };
}

/** `K7QF2MXB` → `K7QF-2MXB` */
function grouped(code: string): string {
  return `${code.slice(0, 4)}-${code.slice(4)}`;
}
