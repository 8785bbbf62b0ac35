import type { Codecs } from '@parley/codecs';
import type { WASocket } from 'baileys';
import type { Clock, Random } from '#kernel';
import { neverRejects } from '#kernel';
import type { NetworkEvent } from '../events.ts';
import { NETWORK_PATIENCE_MS } from '../port.ts';
import type { Me } from './convert/index.ts';
import { cutOff, offline, timedOut, toNetworkError } from './errors.ts';
import type { Log } from './guards/index.ts';
import type { MediaTransport } from './media/request.ts';
import type { Vault } from './vault/index.ts';

/** What the operations of a session share: its connection while open, and its vault. */
export interface SessionContext {
  readonly linkId: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly codecs: Codecs;
  /** Scratch folder for files in transit. */
  readonly folder: string;
  /** To the media servers, by the way of this number. */
  mediaTransport(): MediaTransport;
  /** Throws `offline` before the vault is open. */
  vault(): Vault;
  me(): Me;
  /** Returns the open connection or throws `offline`. */
  connection(): OpenConnection;
  /** Emits an ephemeral event, which is dropped when no consumer takes it. */
  emit(event: NetworkEvent): void;
}

export interface OpenConnection {
  readonly sock: WASocket;
  /** Aborts when the connection closes. */
  readonly lost: AbortSignal;
}

/** Runs a request to the network with a timeout; every failure becomes a `NetworkError`. */
export async function ask<T>(
  context: Pick<SessionContext, 'connection' | 'clock'>,
  work: (sock: WASocket) => Promise<T>,
  patienceMs: number = NETWORK_PATIENCE_MS,
): Promise<T> {
  const { sock, lost } = context.connection();
  return untilLost(context.clock, lost, patienceMs, () => work(sock));
}

export function untilLost<T>(
  clock: Clock,
  lost: AbortSignal,
  patienceMs: number,
  work: () => Promise<T>,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = (): void => reject(timedOut());
    const hangUp = (): void => reject(cutOff(lost.reason));
    if (lost.aborted) return reject(offline());
    const timer = clock.after(patienceMs, giveUp);
    lost.addEventListener('abort', hangUp, { once: true });
    const over = work()
      .then(resolve, (error: unknown) => reject(toNetworkError(error)))
      .finally(() => {
        timer.cancel();
        lost.removeEventListener('abort', hangUp);
      });
    neverRejects(over);
  });
}
