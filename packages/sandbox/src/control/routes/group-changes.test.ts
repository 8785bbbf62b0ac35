import { expect, test } from 'vitest';
import { ada, ben, cleo, handset } from '../../world/fixture.ts';
import { createTestControl } from '../fixture.ts';

const jid = (phone: string) => `${phone}@s.whatsapp.net`;

test('a phone changes its group, and others join and leave', async () => {
  const { post, world } = createTestControl();
  const { body: made } = await post(`/phones/${ada}/groups`, { name: 'Lunch', participants: [jid(ben)] });
  const of = (phone: string) => `/phones/${phone}/groups/${made.jid}`;
  const people = { participants: [jid(cleo)] };
  expect(await post(`${of(ada)}/participants`, { ...people, action: 'add' })).toMatchObject({
    status: 200,
    body: { participants: [{}, {}, { phone_jid: jid(cleo), is_admin: false }] },
  });
  expect(await post(`${of(ada)}/participants`, { ...people, action: 'add' })).toEqual({
    status: 409,
    body: { error: `${jid(cleo)}: already_member` },
  });
  expect(await post(`${of(ada)}/name`, { name: 'Dinner' })).toMatchObject({ body: { name: 'Dinner' } });
  expect(await post(`${of(ada)}/description`, { description: 'At eight' })).toMatchObject({
    body: { description: 'At eight' },
  });
  expect(await post(`${of(ada)}/settings`, { announce: true, join_approval: true })).toMatchObject({
    body: { announce: true, locked: false },
  });
  await post(`${of(ada)}/settings`, { ephemeral_seconds: 86_400 });
  expect(world.groups.get(handset(ada), made.jid)).toMatchObject({
    joinApproval: true,
    disappearingSeconds: 86_400,
  });
  expect((await post(`${of(ben)}/settings`, { locked: true })).status).toBe(403);

  expect((await post(`${of(ben)}/leave`, undefined)).status).toBe(204);
  expect((await post(`${of(ben)}/name`, { name: 'Mine' })).status).toBe(403);
  const link = world.groups.inviteCode(handset(ada), made.jid);
  expect(await post(`/phones/${ben}/groups/join`, { link })).toMatchObject({ body: { jid: made.jid } });
});

test('the phone of an admin approves and rejects those who ask to join', async () => {
  const { post, world } = createTestControl();
  const { body: made } = await post(`/phones/${ada}/groups`, { name: 'Lunch', participants: [] });
  const of = (phone: string) => `/phones/${phone}/groups/${made.jid}`;
  await post(`${of(ada)}/settings`, { join_approval: true });
  const link = world.groups.inviteCode(handset(ada), made.jid);
  for (const phone of [ben, cleo])
    expect(await post(`/phones/${phone}/groups/join`, { link })).toEqual({
      status: 200,
      body: { jid: made.jid, status: 'pending_approval' },
    });
  const answer = (by: string, action: string, phone: string) =>
    post(`${of(by)}/requests`, { participants: [jid(phone)], action });
  expect((await answer(cleo, 'approve', cleo)).status).toBe(403);
  expect(await answer(ada, 'reject', cleo)).toMatchObject({ status: 200, body: { participants: [{}] } });
  expect(await answer(ada, 'approve', ben)).toMatchObject({
    status: 200,
    body: { participants: [{}, { phone_jid: jid(ben) }] },
  });
  expect(await answer(ada, 'approve', cleo)).toEqual({
    status: 409,
    body: { error: `${jid(cleo)}: not_member` },
  });
});

test('a phone changes its own profile', async () => {
  const { put, get } = createTestControl();
  expect((await put(`/phones/${ada}/about`, { about: 'At sea' })).status).toBe(204);
  expect((await get(`/phones/${ada}`)).body).toMatchObject({ about: 'At sea' });
});
