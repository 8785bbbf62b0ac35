import { expect, test } from 'vitest';
import {
  ada,
  ben,
  createTestWorld,
  handset,
  linked,
  refusal,
  settled,
  text,
  unregistered,
} from '../fixture.ts';

test('devices are numbered from 1 and name their sessions', () => {
  const world = createTestWorld();
  const first = world.devices.link(ada, new Uint8Array([7]));
  const second = world.devices.link(ada, new Uint8Array());
  expect(first.sessionId).toBe(`${ada}:1@s.whatsapp.net`);
  expect(second.device).toBe(2);
  expect(world.phones.deviceNumbers(ada)).toEqual([0, 1, 2]);
  expect(world.devices.get(first.sessionId)?.identity).toEqual(new Uint8Array([7]));
  expect(refusal(() => world.devices.link(unregistered, new Uint8Array()))).toBe('not_found');
});

test('a number that was just unlinked is not reused at once', () => {
  const world = createTestWorld();
  world.devices.unlink(world.devices.link(ada, new Uint8Array([1])).sessionId);
  expect(world.devices.link(ada, new Uint8Array([1])).device).toBe(2);
});

test('numbers fit one byte: after the last they start over and skip those in use', () => {
  const world = createTestWorld();
  world.devices.link(ada, new Uint8Array([1]));
  world.transaction(() => {
    for (let n = 2; n <= 250; n += 1) {
      world.devices.unlink(world.devices.link(ada, new Uint8Array([1])).sessionId);
    }
  });
  expect(world.devices.link(ada, new Uint8Array([1])).device).toBe(2);
});

test('unlinking closes the connection, empties the mailbox and deletes the device', async () => {
  const world = createTestWorld();
  const desk = linked(world, ada);
  world.devices.unlink(desk.device.sessionId);
  await settled();
  expect(desk.closed).toEqual(['unlinked']);
  expect(world.devices.of(ada)).toEqual([]);
  world.messages.send(handset(ben), { id: 'late', to: ada, content: text('hi') });
  expect(world.mailboxes.waiting(desk.device.sessionId)).toBe(0);
  expect(refusal(() => world.devices.unlink(desk.device.sessionId))).toBe('not_found');
});

test('a device shows whether a connection is attached, and keeps a new identity', () => {
  const world = createTestWorld();
  const desk = linked(world, ada);
  const { sessionId } = desk.device;
  expect(world.devices.get(sessionId)?.attached).toBe(true);
  desk.detach();
  expect(world.devices.get(sessionId)?.attached).toBe(false);
  world.devices.keep(sessionId, new Uint8Array([9]));
  expect(world.devices.get(sessionId)?.identity).toEqual(new Uint8Array([9]));
});
