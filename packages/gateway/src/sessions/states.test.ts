import { expect, it, vi } from 'vitest';
import type { SessionRow } from '#platform/store';
import { CHANGED_TOPIC } from './hosting/host.ts';
import { describeSessions } from './testing/harness.ts';

describeSessions('the state of a session that another process hosts', (harness) => {
  /** Written without a message on the bus. */
  const write = (status: SessionRow['status']) =>
    harness().store.transaction((trx) => trx.updateTable('sessions').set({ status }).execute());

  async function setUp() {
    const host = await harness().startProcess();
    const other = await harness().startProcess({ hosts: false });
    const number = await harness().newNumber();
    const sessionId = await harness().link(number, host);
    const find = async () => (await other.sessions.states.find(number.slotId))?.status;
    await vi.waitFor(async () => expect(await find()).toBe('connected'));
    // The host publishes the change after it can be read: only then is it cached for good.
    await harness().pass(1_000);
    expect(await find()).toBe('connected');
    return { number, sessionId, other, find };
  }

  it('is known in every process, and a process without sessions hosts none', async () => {
    const { number, sessionId, other } = await setUp();
    expect(await other.sessions.states.find(number.slotId)).toMatchObject({ sessionId, status: 'connected' });
    expect(await other.sessions.states.find('slot_unknown')).toBeUndefined();
    const all = await other.sessions.states.findAll([number.slotId, 'slot_unknown']);
    expect([...all]).toEqual([[number.slotId, await other.sessions.states.find(number.slotId)]]);
    expect(other.sessions.hosted.get(number.slotId)).toBeUndefined();
    expect(other.sessions.hosted.connected()).toEqual([]);
  });

  it('may be a positive state from one second ago', async () => {
    const { find } = await setUp();
    await write('logged_out');
    harness().machineClock.advance(999);
    expect(await find()).toBe('connected');
    harness().machineClock.advance(1);
    expect(await find()).toBe('logged_out');
  });

  it('is never an outdated negative state', async () => {
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

  it('follows a change by its host at once', async () => {
    const { sessionId, find } = await setUp();
    harness().world.devices.unlink(sessionId);
    await vi.waitFor(async () => expect(await find()).toBe('logged_out'));
  });
});
