import type { Clock } from '../../packages/gateway/src/kernel/index.ts';
import type { NetworkDriver, NetworkSession } from '../../packages/gateway/src/network/index.ts';

/** Records the network's acknowledgement times. */
export interface Acks {
  listeningTo(driver: NetworkDriver): NetworkDriver;
  /** The time of the acknowledgement, by the monotonic clock; waits for it. */
  of(messageId: string): Promise<number>;
  /** Delays the network's answers for this number from now on, like those of real networks. */
  slowDown(phone: string): void;
}

const SLOW_MS = 20;

export function watchAcks(clock: Clock): Acks {
  const acks = new Map<string, PromiseWithResolvers<number>>();
  const slow = new Set<string>();

  function ackOf(messageId: string): PromiseWithResolvers<number> {
    const known = acks.get(messageId) ?? Promise.withResolvers<number>();
    acks.set(messageId, known);
    return known;
  }

  function listenTo(session: NetworkSession): NetworkSession {
    const { send } = session;
    Object.defineProperty(session, 'send', {
      async value(message: Parameters<NetworkSession['send']>[0]) {
        await send.call(session, message);
        if (isSlow(session)) await clock.sleep(SLOW_MS);
        else ackOf(message.messageId).resolve(clock.monotonic());
      },
    });
    return session;
  }

  function isSlow({ state }: NetworkSession): boolean {
    return state.kind === 'connected' && slow.has(state.sessionId.replace(/:.*$/, ''));
  }

  return {
    listeningTo: (driver) => ({
      pair: (request) => driver.pair(request),
      open: (request) => listenTo(driver.open(request)),
      forget: (linkId) => driver.forget(linkId),
      close: () => driver.close(),
    }),
    async of(messageId) {
      const acknowledgedAt = await ackOf(messageId).promise;
      acks.delete(messageId);
      return acknowledgedAt;
    },
    slowDown: (phone) => void slow.add(phone),
  };
}
