import { expect, test, vi } from 'vitest';
import type { WireHarness } from '../testing/fixture.ts';
import { connected, ME, type Opened, online, open, pair, shownQr, useWire, WAIT } from '../testing/people.ts';

const setUp = useWire();

const linkedIn = ({ events }: Opened) =>
  events.flatMap((event) => (event.kind === 'device_linked' ? [event] : []));

/** Another client is linked to the same phone, and its number among the devices is returned. */
async function linkAnother(harness: WireHarness, linkId: string): Promise<number> {
  const progress = pair(harness, linkId);
  await harness.wire.pairing.scan(ME, await shownQr(progress));
  await vi.waitFor(() => expect(progress.at(-1)?.kind).toBe('paired'), WAIT);
  return harness.world.devices.of(ME).at(-1)?.device ?? 0;
}

/** The first list of a link is what later ones are compared with. */
const baseline = ({ store }: WireHarness, linkId = 'link') =>
  vi.waitFor(async () => {
    const lists = store.read.selectFrom('network_records').select('id').where('kind', '=', 'own-devices');
    expect(await lists.where('link_id', '=', linkId).execute()).toHaveLength(1);
  }, WAIT);

/** The driver's queries for its own list so far. */
const queries = ({ received }: WireHarness) =>
  received.filter(({ tag, attrs }) => tag === 'iq' && attrs.xmlns === 'usync').length;

test('reports a device linked elsewhere once, and neither its own link nor the same device after a restart', async () => {
  const harness = await setUp();
  const me = await online(harness);
  await baseline(harness);
  const second = await linkAnother(harness, 'second');
  await vi.waitFor(() => expect(linkedIn(me)).toHaveLength(1), WAIT);
  expect(linkedIn(me)).toMatchObject([{ devices: 3, added: [second] }]);

  // A change of the list comes again, in the network's other form.
  const sessionId = me.session.state.kind === 'connected' ? me.session.state.sessionId : '';
  const before = queries(harness);
  harness.wire.say(sessionId, {
    tag: 'notification',
    attrs: { id: 'S1', from: `${ME}@s.whatsapp.net`, type: 'account_sync', t: '7' },
    content: [{ tag: 'devices', attrs: {}, content: [] }],
  });
  await vi.waitFor(() => expect(queries(harness)).toBeGreaterThan(before), WAIT);

  await harness.crash();
  const third = await linkAnother(harness, 'third');
  const again = await connected(harness, 2);
  await vi.waitFor(() => expect(linkedIn(again).at(-1)).toMatchObject({ devices: 4, added: [third] }), WAIT);
  // What was not marked as processed before the crash comes again under its id.
  expect(new Set([me, again].flatMap(linkedIn).map(({ id }) => id)).size).toBe(2);
  const mine = open(harness, 1, 'third');
  await vi.waitFor(() => expect(mine.session.state.kind).toBe('connected'), WAIT);
  await baseline(harness, 'third');
  const fourth = await linkAnother(harness, 'fourth');
  await vi.waitFor(() => expect(linkedIn(mine)).toHaveLength(1), WAIT);
  expect(linkedIn(mine)).toMatchObject([{ added: [fourth] }]);
});
