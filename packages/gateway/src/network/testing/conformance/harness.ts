import type { PairingService, PhoneSettings, World } from '@parley/sandbox/world';
import type { NetworkDriver } from '../../port.ts';

/** A driver and the network that it talks to. The other side is always played by the world's virtual phones. */
export interface Harness {
  /** The driver that is alive at the moment. */
  readonly driver: NetworkDriver;
  readonly world: World;
  /** People holding their phones before what the living driver shows. */
  readonly pairing: PairingService;
  /**
   * Kills the driver as a crash would (nothing is awaited, nothing more is acknowledged, nobody is called back) and answers a new one
   * over the same store. A driver that was closed before is simply followed by a new one.
   */
  restart(): Promise<NetworkDriver>;
  /** Moves the time that the driver and the world live by, and resolves when what fell due has run. */
  advance(ms: number): Promise<void>;
  /** What everybody's phone in this world is like, unless a test says otherwise. */
  readonly people?: Partial<PhoneSettings>;
  /** Time passes by itself as well, so that nobody has to move it in order to wait. */
  readonly ticks?: boolean;
  dispose(): Promise<void>;
}

export type CreateHarness = () => Promise<Harness>;
