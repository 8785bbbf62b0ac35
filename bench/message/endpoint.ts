/** Endpoint for a number's sends, like the gateway's. */
export interface Endpoint {
  readonly url: string;
  readonly token: string;
  readonly sessionId: string;
  readonly phone: string;
  /** A contact to write to. */
  readonly friend: string;
}

/** The measured flow: one message of a kind, from end to end. */
export type Kind = 'send' | 'inbound' | 'group' | 'fan-out' | 'media';

/** The request and event fields that both contenders have. */
export interface SendBody {
  readonly session_id: string;
  readonly to: string;
  readonly text?: string;
  readonly media_type?: 'document';
  readonly media_url?: string;
}

export interface EventFields {
  readonly kind: 'status' | 'message' | string;
  readonly request_id?: string;
  readonly text?: string;
}
