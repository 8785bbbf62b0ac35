import type { PairingService, PhoneSettings, World } from '@parley/sandbox/world';
import type { NetworkDriver } from '../../port.ts';

/** A driver and its network. The world's virtual phones always play the other side. */
export interface Harness {
  /** The current driver. */
  readonly driver: NetworkDriver;
  readonly world: World;
  /** People with phones that can answer what the current driver shows. */
  readonly pairing: PairingService;
  /**
   * Kills the driver as a crash would (nothing is awaited or acknowledged any more, no callbacks) and returns a new one over the same
   * store. After a closed driver it just returns a new one.
   */
  restart(): Promise<NetworkDriver>;
  /** Advances the clock of the driver and the world, and resolves when due timers have run. */
  advance(ms: number): Promise<void>;
  /** Default settings of phones in this world. */
  readonly people?: Partial<PhoneSettings>;
  /** The clock also runs in real time, so that waiting needs no `advance`. */
  readonly ticks?: boolean;
  dispose(): Promise<void>;
}

export type CreateHarness = () => Promise<Harness>;
