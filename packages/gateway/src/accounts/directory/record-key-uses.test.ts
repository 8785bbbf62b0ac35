import { describe, expect, it, vi } from 'vitest';
import { useStore } from '#testing';
import { createApiKey } from '../keys.ts';
import { createHarness, newAccount } from '../testing/harness.ts';
import { recordKeyUses } from './directory.ts';

const A_MINUTE = 60_000;
const log = { debug() {}, error: vi.fn() };

describe('the last use of a key', () => {
  const test = useStore('SQLite');

  async function begin() {
    const context = createHarness(test);
    const { account_id } = await newAccount(context);
    const { key_id: keyId } = await createApiKey(context, 'operator', account_id, { name: 'test' });
    let uses = new Map<string, number>();
    const directory = {
      takeKeyUses() {
        const taken = uses;
        uses = new Map();
        return taken;
      },
    };
    const lastUse = async () => {
      const rows = context.store.read.selectFrom('api_keys').select('last_used_at').where('id', '=', keyId);
      return (await rows.executeTakeFirstOrThrow()).last_used_at;
    };
    return { context, directory, lastUse, use: () => uses.set(keyId, context.clock.now()) };
  }

  it('is written once a minute, again and again', async () => {
    const { context, directory, lastUse, use } = await begin();
    const recording = recordKeyUses({ ...context, directory, log });
    for (let minute = 1; minute <= 2; minute++) {
      use();
      const at = context.clock.now();
      expect(await lastUse()).not.toBe(at);
      context.clock.advance(A_MINUTE);
      await vi.waitFor(async () => expect(await lastUse()).toBe(at));
      // The next minute begins when the write is over.
      await new Promise(setImmediate);
    }
    await recording.stop();
  });

  it('is written when the gateway stops, and never after', async () => {
    const { context, directory, lastUse, use } = await begin();
    const recording = recordKeyUses({ ...context, directory, log });
    use();
    const at = context.clock.now();
    await recording.stop();
    expect(await lastUse()).toBe(at);
    const take = vi.spyOn(directory, 'takeKeyUses');
    context.clock.advance(10 * A_MINUTE);
    expect(take).not.toHaveBeenCalled();
  });

  it('is no reason to fail', async () => {
    const { context, directory, use } = await begin();
    const store = { ...context.store, transaction: () => Promise.reject(new Error('disk full')) };
    const recording = recordKeyUses({ ...context, store, directory, log });
    use();
    await expect(recording.stop()).resolves.toBeUndefined();
    expect(log.error).toHaveBeenCalledOnce();
  });
});
