import { expect, it, vi } from 'vitest';
import { createSteppedClock } from '#kernel';
import type { NetworkDriver } from '#network';
import { useStore } from '#testing';
import { createUnlinkJobRunner } from './unlink-jobs.ts';

const testStore = useStore('SQLite');

it('retries an unlink that did not reach the network, after a pause', async () => {
  const { store } = testStore;
  const clock = createSteppedClock();
  const logOut = vi.fn(async () => false);
  const open: NetworkDriver['open'] = ({ onState }) => {
    setImmediate(() => onState({ kind: 'connected', sessionId: '15550001001:1@s.whatsapp.net' }));
    return { logOut, close: async () => {} } as Partial<ReturnType<NetworkDriver['open']>> as ReturnType<
      NetworkDriver['open']
    >;
  };
  const ender = createUnlinkJobRunner({
    ...{ store, clock, machineClock: clock },
    bus: { subscribe: () => ({ stop() {} }) },
    driver: { open, forget: async () => {} },
    log: { info() {}, warn() {} },
  });
  await store.transaction((trx) =>
    trx
      .insertInto('ending_links')
      .values({ link_id: 'link_left', fence: 1, since: clock.now(), taken_until: 0 })
      .execute(),
  );
  const left = () => store.read.selectFrom('ending_links').select('link_id').execute();

  await ender.attend();
  expect(logOut).toHaveBeenCalledOnce();
  expect(await left()).toHaveLength(1);
  logOut.mockResolvedValue(true);
  clock.advance(2_000);
  await vi.waitFor(async () => expect(await left()).toEqual([]));
  await ender.stop();
});
