import type { Clock } from '../world/types.ts';

export type { Clock, Random } from '../world/types.ts';

/** Log of the wire; never contains message content or keys. */
export interface Log {
  debug(details: Record<string, unknown>, text: string): void;
  warn(details: Record<string, unknown>, text: string): void;
}

/** The kind of failure only: error texts of libraries may quote input of a client. */
export function errorName(error: unknown): string {
  return error instanceof Error ? error.name : 'unknown';
}

export const silentLog: Log = { debug() {}, warn() {} };

export function unixSeconds(clock: Clock): number {
  return Math.floor(clock.now() / 1000);
}
