/**
 * Canonical log lines: one for each thing that ends, named by its `msg`. Ids are those that the API answers with, so that one search
 * finds the whole life of a message. They contain no message text and no phone number.
 */
export interface CanonicalLines {
  request: {
    readonly requestId: string;
    readonly surface: string;
    readonly operation: string;
    readonly status: number;
    readonly ms: number;
    /** Size of the request body, as the client claims. */
    readonly bytes?: number;
    readonly accountId?: string;
    readonly keyId?: string;
    readonly errorCode?: string;
    /** For a response about a message. */
    readonly messageId?: string;
  };
  'send.attempt': {
    readonly messageId: string;
    readonly slotId: string;
    readonly attempt: number;
    readonly outcome: 'sent' | 'failed' | 'postponed';
    readonly reason?: string;
    /** The event that reports the outcome; absent when the attempt is retried. */
    readonly eventId?: string;
    /** Since it was accepted. */
    readonly ms: number;
  };
  'event.delivery': {
    readonly eventId: string;
    readonly kind: string;
    readonly webhookId: string;
    /** Origin only: the path may be a secret of the account. */
    readonly receiver: string;
    readonly attempt: number;
    readonly outcome: 'delivered' | 'failed' | 'dead';
    readonly status?: number;
    readonly reason?: string;
    readonly ms: number;
  };
  inbound: {
    readonly eventId: string;
    readonly kind: string;
    readonly slotId: string;
    readonly messageId?: string;
  };
  'session.state': {
    readonly slotId: string;
    readonly status: 'claimed' | 'connected' | 'reconnecting' | 'logged_out';
    readonly reason?: string;
    readonly fence?: number;
    readonly worker?: string;
    /** The worker that hosted it before. */
    readonly from?: string;
  };
  'pairing.step': {
    readonly onboardingId: string;
    readonly slotId: string;
    readonly step: 'began' | 'qr' | 'code' | 'passkey' | 'confirm' | 'ended';
    readonly method?: string;
    readonly outcome?: string;
  };
  job: {
    readonly job: string;
    readonly outcome: 'done' | 'failed';
    readonly ms: number;
    readonly err?: unknown;
  };
}

type LineLevel = 'debug' | 'info' | 'warn' | 'error';

export type LineLog<L extends LineLevel = 'info'> = Readonly<
  Record<L, (details: object, message: string) => void>
>;

/** Expected outcomes are `debug` or `info`. In a series of failures only the first is `warn`. */
export function writeLine<N extends keyof CanonicalLines, L extends LineLevel>(
  log: LineLog<L>,
  level: L,
  name: N,
  facts: CanonicalLines[N],
): void {
  log[level](facts, name);
}
