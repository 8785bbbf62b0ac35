/** Where a number's messages are taken in, as the gateway does it. */
export interface Door {
  readonly url: string;
  readonly token: string;
  readonly sessionId: string;
  readonly phone: string;
  /** Somebody to talk to. */
  readonly friend: string;
}

/** What is measured: one message of a kind, from end to end. */
export type Kind = 'send' | 'inbound' | 'group' | 'fan-out' | 'media';

/** What a contender takes and tells, as far as both do. */
export interface SendBody {
  readonly session_id: string;
  readonly to: string;
  readonly text?: string;
  readonly media_type?: 'document';
  readonly media_url?: string;
}

export interface Told {
  readonly kind: 'status' | 'message' | string;
  readonly request_id?: string;
  readonly text?: string;
}
