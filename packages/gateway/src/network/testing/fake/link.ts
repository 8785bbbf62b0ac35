import type { LinkedDevice, Phone, RateKind, SessionId, World } from '@parley/sandbox/world';
import type { Clock, Random } from '#kernel';
import { NetworkError } from '../../errors.ts';
import { operationError } from './errors.ts';
import type { FakeNumberHealth } from './number-health.ts';

/** What the calls of a session depend on. */
export interface Link {
  readonly world: World;
  readonly clock: Clock;
  readonly random: Random;
  readonly standing: FakeNumberHealth;
  /** Known also without a connection; undefined once the link has ended. */
  device(): LinkedDevice | undefined;
  /** The current connection. */
  connection(): Connection | undefined;
}

export interface Connection {
  readonly device: LinkedDevice;
  /** Aborts, with the error to reject with, when the connection is lost. */
  readonly lost: AbortSignal;
}

export function requireConnection(link: Link): Connection {
  const connection = link.connection();
  if (!connection) {
    throw new NetworkError('offline', 'There is no connection to the network at this moment.');
  }
  return connection;
}

/** Runs an operation as the linked device, and translates its errors to the port's. */
export async function ask<T>(
  link: Link,
  run: (device: LinkedDevice) => T | Promise<T>,
  kind?: RateKind,
): Promise<T> {
  const { device } = requireConnection(link);
  if (kind) link.standing.assertMayAsk(device, kind);
  try {
    return await run(device);
  } catch (error) {
    throw operationError(error);
  }
}

/** The phone at an address; a number may have its other spelling. */
export function phoneAt({ phones }: Pick<World, 'phones'>, address: string): Phone | undefined {
  return phones.find(address) ?? phones.findByNumber(address.replace(/@s\.whatsapp\.net$/, ''));
}

/** The linked device of each `linkId`: this driver's only credentials. They outlive it in the world's vault. */
export interface Links {
  find(linkId: string): SessionId | undefined;
  keep(linkId: string, sessionId: SessionId): void;
  forget(linkId: string): void;
}

const SCOPE = 'fake-links';

export function createLinks({ vault }: Pick<World, 'vault'>): Links {
  return {
    find(linkId) {
      const sessionId = vault.read(SCOPE, linkId);
      return sessionId && Buffer.from(sessionId).toString();
    },
    keep: (linkId, sessionId) => vault.write(SCOPE, linkId, Buffer.from(sessionId)),
    forget: (linkId) => vault.erase(SCOPE, linkId),
  };
}
