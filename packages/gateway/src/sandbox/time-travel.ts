import type { Sandbox } from '@parley/sandbox';
import type { ClockControl } from '@parley/sandbox/control';
import type { TravelClock } from '#kernel';

type Vault = Pick<Sandbox['world']['vault'], 'read' | 'write'>;

const SCOPE = 'gateway';
const KEY = 'travelled-ms';

export interface TimeTravel extends ClockControl {
  advance(ms: number): void;
  /** Milliseconds, since the virtual network exists. */
  travelled(): number;
  resume(): void;
}

/**
 * The virtual network remembers how far its time was moved, and takes the gateway there again after a restart: what lies in the
 * databases is dated by that time, and time never moves back.
 */
export function createTimeTravel(vault: Vault, clock: TravelClock): TimeTravel {
  const travelled = (): number => Number(Buffer.from(vault.read(SCOPE, KEY) ?? []).toString() || 0);
  return {
    now: () => clock.now(),
    travelled,
    advance(ms) {
      vault.write(SCOPE, KEY, Buffer.from(String(travelled() + ms)));
      clock.advance(ms);
    },
    resume: () => clock.advance(travelled()),
  };
}
