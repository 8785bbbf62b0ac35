import { describe, expect, it } from 'vitest';
import { createCancellations } from './cancellations.ts';

describe('cancellations', () => {
  it('tell all that listen to a signal, and none that has stopped', () => {
    const { listen } = createCancellations();
    const [one, other] = [new AbortController(), new AbortController()];
    const told: string[] = [];
    listen(one.signal, () => told.push('first'));
    listen(one.signal, () => told.push('second')).stop();
    listen(one.signal, () => told.push('third'));
    listen(other.signal, () => told.push('somebody else'));
    one.abort();
    expect(told).toEqual(['first', 'third']);
  });

  it('tell at once whoever comes too late', () => {
    const { listen } = createCancellations();
    let told = false;
    listen(AbortSignal.abort(), () => {
      told = true;
    });
    expect(told).toBe(true);
  });
});
