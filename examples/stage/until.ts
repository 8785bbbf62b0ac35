import { setTimeout as sleep } from 'node:timers/promises';

const EVERY_MS = 50;
const LONGEST_MS = 30_000;

/** Polls until the result is defined. */
export async function until<T>(what: string, look: () => T | undefined | Promise<T | undefined>): Promise<T> {
  for (let waited = 0; waited < LONGEST_MS; waited += EVERY_MS) {
    const found = await look();
    if (found !== undefined) return found;
    await sleep(EVERY_MS);
  }
  throw new Error(`Waited ${LONGEST_MS / 1000} seconds until ${what}.`);
}
