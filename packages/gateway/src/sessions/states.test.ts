import { expect, it, vi } from 'vitest';
import type { SessionRow } from '#store';
import { CHANGED_TOPIC } from './hosting/host.ts';
import { describeSessions } from './testing/harness.ts';

describeSessions('the state of a session that another process hosts', (harness) => {
  /** Changed behind everybody's back: no word of it goes over the bus. */
  const write = (status: SessionRow['status']) =>
    harness().store.transaction((trx) => trx.updateTable('sessions').set({ status }).execute());

  async function setUp() {
    const host = await harness().startProcess();
    const other = await harness().startProcess({ hosts: false });
    const number = await harness().newNumber();
    const sessionId = await harness().link(number, host);
    const find = async () => (await other.sessions.states.find(number.slotId))?.status;
    await vi.waitFor(async () => expect(await find()).toBe('connected'));
    // The host says that it has written this after it can be read: only then is it remembered for good.
    await harness().pass(1_000);
    expect(await find()).toBe('connected');
    return { number, sessionId, other, find };
  }

  it('is known everywhere, and who hosts nothing has nothing', async () => {
    const { number, sessionId, other } = await setUp();
    expect(await other.sessions.states.find(number.slotId)).toMatchObject({ sessionId, status: 'connected' });
    expect(await other.sessions.states.find('slot_of_nobody')).toBeUndefined();
    const all = await other.sessions.states.findAll([number.slotId, 'slot_of_nobody']);
    expect([...all]).toEqual([[number.slotId, await other.sessions.states.find(number.slotId)]]);
    expect(other.sessions.hosted.get(number.slotId)).toBeUndefined();
    expect(other.sessions.hosted.connected()).toEqual([]);
  });

  it('may be a yes of one second ago', async () => {
    const { find } = await setUp();
    await write('logged_out');
    harness().machineClock.advance(999);
    expect(await find()).toBe('connected');
    harness().machineClock.advance(1);
    expect(await find()).toBe('logged_out');
  });

  it('is never a no of yesterday', async () => {
    const { find } = await setUp();
    await write('logged_out');
    harness().machineClock.advance(1_000);
    expect(await find()).toBe('logged_out');
    await write('connected');
    expect(await find()).toBe('connected');
  });

  it('is read again when it changed while it was being read', async () => {
    const { number, other, find } = await setUp();
    await write('logged_out');
    harness().machineClock.advance(1_000);
    await write('connected');
    const reading = other.sessions.states.find(number.slotId);
    harness().bus.publish(CHANGED_TOPIC, number.slotId);
    expect(await reading).toMatchObject({ status: 'connected' });
    await write('logged_out');
    expect(await find()).toBe('logged_out');
  });

  it('follows the word of its host at once', async () => {
    const { sessionId, find } = await setUp();
    harness().world.devices.unlink(sessionId);
    await vi.waitFor(async () => expect(await find()).toBe('logged_out'));
  });
});
