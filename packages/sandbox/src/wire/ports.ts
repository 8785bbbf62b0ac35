import type { Clock } from '../world/types.ts';

export type { Clock, Random } from '../world/types.ts';

/** Where the wire says what it does; never what people write to one another, and never a key. */
export interface Log {
  debug(details: Record<string, unknown>, text: string): void;
  warn(details: Record<string, unknown>, text: string): void;
}

/** The kind of failure only: messages of libraries may quote what a client sent. */
export function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : 'unknown';
}

export const silentLog: Log = { debug() {}, warn() {} };

export function unixSeconds(clock: Clock): number {
  return Math.floor(clock.now() / 1000);
}
