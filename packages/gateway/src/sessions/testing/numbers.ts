import { expect, vi } from 'vitest';
import type { OwnedNumber } from '#platform/http';
import type { TestHarness } from './harness.ts';
import type { Process, ProcessOptions } from './process.ts';

/** A number that a new process has linked and connected. */
export async function linkedNumber(
  harness: TestHarness,
  options?: ProcessOptions,
): Promise<{ process: Process; number: OwnedNumber; sessionId: string }> {
  const process = await harness.startProcess(options);
  const number = await harness.newNumber();
  const sessionId = await harness.link(number, process);
  await connected(harness, number);
  return { process, number, sessionId };
}

export const connected = (harness: TestHarness, number: OwnedNumber, fence = 1) =>
  vi.waitFor(async () => expect(await harness.row(number)).toMatchObject({ status: 'connected', fence }));

/** Cuts the connection and refuses new ones for this long. */
export async function cut(harness: TestHarness, number: OwnedNumber, ms: number): Promise<void> {
  const row = await harness.row(number);
  harness.world.faults.arm(row?.session_id ?? '', { kind: 'disconnect', count: 1, ms });
}
