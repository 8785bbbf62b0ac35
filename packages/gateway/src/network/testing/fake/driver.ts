import type { PairingService, World } from '@parley/sandbox/world';
import { type Clock, type Random, systemRandom } from '#kernel';
import type { NetworkDriver } from '../../port.ts';
import { createLinks } from './link.ts';
import { createPairing } from './pairing.ts';
import type { Ceremony } from './passkey.ts';
import { createFakeSession, type FakeSession } from './session.ts';

export interface FakeDriverOptions {
  readonly world: World;
  readonly clock: Clock;
  readonly random?: Random;
}

/** A driver over the sandbox's world without a wire: for tests of the gateway with many numbers and a stepped clock. */
export interface FakeDriver extends NetworkDriver {
  /** Through it virtual phones answer the pairing attempts of this driver. */
  readonly pairing: PairingService;
  /** Stops as in a crash: nothing is awaited or acknowledged any more, no callbacks. */
  crash(): void;
}

export function createFakeDriver({ world, clock, random = systemRandom }: FakeDriverOptions): FakeDriver {
  const links = createLinks(world);
  const ceremonies = new Map<string, Ceremony>();
  const pairing = createPairing({ world, clock, random, links, ceremonies });
  const sessions = new Set<FakeSession>();

  return {
    pairing: pairing.pairing,
    pair: pairing.start,
    open(request) {
      const onClosed = (): void => {
        sessions.delete(session);
      };
      const session = createFakeSession({ world, clock, random, links, ceremonies, request, onClosed });
      sessions.add(session);
      return session;
    },
    async forget(linkId) {
      links.forget(linkId);
    },
    async close() {
      pairing.cancelAll();
      await Promise.all([...sessions].map((session) => session.close()));
    },
    crash() {
      pairing.cancelAll();
      for (const session of sessions) session.abandon();
      sessions.clear();
    },
  };
}
