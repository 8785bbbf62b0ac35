import { describe, expect, it } from 'vitest';
import { createCancellations } from './post.ts';

describe('cancellations', () => {
  it('notify all listeners of a signal, and none that has stopped', () => {
    const { listen } = createCancellations();
    const [one, other] = [new AbortController(), new AbortController()];
    const notified: string[] = [];
    listen(one.signal, () => notified.push('first'));
    listen(one.signal, () => notified.push('second')).stop();
    listen(one.signal, () => notified.push('third'));
    listen(other.signal, () => notified.push('another signal'));
    one.abort();
    expect(notified).toEqual(['first', 'third']);
  });

  it('notify a late listener at once', () => {
    const { listen } = createCancellations();
    let notified = false;
    listen(AbortSignal.abort(), () => {
      notified = true;
    });
    expect(notified).toBe(true);
  });
});
