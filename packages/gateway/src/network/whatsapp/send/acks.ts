import type { BinaryNode, WASocket } from 'baileys';

/** The network's own acknowledgement of a message. */
export interface Ack {
  /** Absent when the network accepted the message. */
  readonly error?: number;
  readonly serverId?: number;
  /** The network accepted it, and knows other devices than those that it was encrypted for. */
  readonly devicesDiffer?: true;
  /** The network accepted it, and the hidden address of the recipient is no longer the one known here. */
  readonly isLidStale?: true;
}

export interface Acks {
  attach(sock: WASocket): void;
  /** Resolves with the ack of this message. Call it before writing the message to the socket. */
  expect(messageId: string): { readonly ack: Promise<Ack>; forget(): void };
}

/** The library resolves when bytes are written and does not report positive acks, so they are read from the socket. */
export function createAcks(): Acks {
  /** The same message may be sent twice at a time: once more for a device that could not read it. */
  const expected = new Map<string, Set<(ack: Ack) => void>>();

  function onAck({ attrs }: BinaryNode): void {
    const error = Number(attrs.error);
    const serverId = Number(attrs.server_id);
    const ack: Ack = {
      ...(attrs.error === undefined ? {} : { error: Number.isFinite(error) ? error : 0 }),
      ...(attrs.phash ? { devicesDiffer: true } : {}),
      ...(attrs.refresh_lid === 'true' ? { isLidStale: true } : {}),
      ...(attrs.server_id !== undefined && Number.isSafeInteger(serverId) ? { serverId } : {}),
    };
    for (const resolve of expected.get(attrs.id ?? '') ?? []) resolve(ack);
  }

  return {
    attach: (sock) => void sock.ws.on('CB:ack,class:message', onAck),
    expect(messageId) {
      const { promise, resolve } = Promise.withResolvers<Ack>();
      const waiting = expected.get(messageId) ?? new Set();
      expected.set(messageId, waiting.add(resolve));
      return {
        ack: promise,
        forget() {
          waiting.delete(resolve);
          if (waiting.size === 0) expected.delete(messageId);
        },
      };
    },
  };
}
