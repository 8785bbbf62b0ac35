import type { SocketConfig } from 'baileys';

/**
 * How the network's own media servers are reached. Outgoing HTTPS is not this room's to make, so whoever puts the gateway together hands
 * it in: with the private authority of a sandbox, or the proxy of a number, where there is one.
 */
export interface MediaTransport {
  /** For uploads, which the library makes by itself. */
  readonly uploadAgent?: SocketConfig['fetchAgent'];
  /** For the files of the phone's history and address book, which the library fetches by itself and without any limit. */
  readonly dispatcher?: RequestInit['dispatcher'];
  /** Must not follow redirects, and must end when `signal` aborts. */
  get(url: URL, options: { readonly signal: AbortSignal }): Promise<MediaAnswer>;
}

export interface MediaAnswer {
  readonly status: number;
  /** The server's claim. */
  readonly length?: number;
  /** Ends the connection when it is left early. */
  readonly body: AsyncIterable<Uint8Array>;
}
