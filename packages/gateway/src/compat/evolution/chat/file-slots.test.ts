import { describe, expect, it } from 'vitest';
import { createSteppedClock } from '#kernel';
import { createFileSlots } from './file-slots.ts';

const here = new AbortController().signal;

function build() {
  const clock = createSteppedClock();
  return { clock, slots: createFileSlots(clock) };
}

describe('slots for files in base64', () => {
  it('gives two to an account, the next in the order of calls, and none of them to another account', async () => {
    const { slots } = build();
    const releases = [await slots.take('one', here), await slots.take('one', here)];
    const granted: string[] = [];
    const third = slots.take('one', here).then(() => granted.push('third'));
    const fourth = slots.take('one', here).then(() => granted.push('fourth'));
    expect(await slots.take('other', here)).toBeTypeOf('function');
    expect(granted).toEqual([]);
    releases[1]?.();
    await third;
    expect(granted).toEqual(['third']);
    // A second release of the same slot frees none.
    releases[1]?.();
    await Promise.resolve();
    expect(granted).toEqual(['third']);
    releases[0]?.();
    await fourth;
    expect(granted).toEqual(['third', 'fourth']);
  });

  it('ends the wait after 30 seconds, and when the caller leaves', async () => {
    const { clock, slots } = build();
    const release = await slots.take('one', here);
    await slots.take('one', here);
    const caller = new AbortController();
    const waits = [slots.take('one', caller.signal), slots.take('one', here)];
    caller.abort();
    expect(await waits[0]).toBeUndefined();
    clock.advance(30_000);
    expect(await waits[1]).toBeUndefined();
    const next = slots.take('one', here);
    release?.();
    expect(await next).toBeTypeOf('function');
    expect(await slots.take('one', AbortSignal.abort())).toBeUndefined();
  });
});
