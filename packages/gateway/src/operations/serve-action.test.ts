import { operations } from '@parley/contract';
import { expect, test } from 'vitest';
import { apiError } from '#kernel';
import { NetworkError, type NetworkErrorKind } from '#network';
import type { OwnedNumber, RequestContext } from '#platform/http';
import { createActionServer } from './serve-action.ts';

const online = { sessionId: '15550001001:1@s.whatsapp.net', status: 'connected', since: 0 } as const;
const serveAction = createActionServer({ states: { find: () => online } });

const number: OwnedNumber = { slotId: 'slot_1', accountId: 'acc_1', phone: '15550001001', plan: 'max' };

/** A call as the HTTP room passes it. */
const callOf = (over: Partial<OwnedNumber> = {}) =>
  ({ number: { ...number, ...over }, params: { group_id: '1@g.us' } }) as unknown as RequestContext;

const refusing = (kind: NetworkErrorKind) => () =>
  Promise.reject(new NetworkError(kind, 'The network says no.'));

test('a plan without the feature is refused before any query to the network', async () => {
  let asked = false;
  const route = serveAction(operations.listGroups, {}, async () => {
    asked = true;
    return { groups: [] };
  });
  await expect(route.handle(callOf({ plan: 'pro' }))).rejects.toThrow('plan pro does not include groups');
  expect(asked).toBe(false);
  expect(await route.handle(callOf())).toEqual({ groups: [] });
});

test('an operation without a feature is open to every plan', async () => {
  const route = serveAction(operations.listContacts, {}, async () => ({ contacts: [] }));
  expect(await route.handle(callOf({ plan: 'free' }))).toEqual({ contacts: [] });
});

test.each(['offline', 'logged_out'] as const)('a %s number gets no query', async (status) => {
  const serveOffline = createActionServer({ states: { find: async () => ({ ...online, status }) } });
  const route = serveOffline(operations.listContacts, {}, async () => ({ contacts: [] }));
  await expect(route.handle(callOf())).rejects.toMatchObject({ code: 'session_not_hosted', status: 409 });
});

test('a reconnecting number is left to its host', async () => {
  const states = { find: async () => ({ ...online, status: 'reconnecting' as const }) };
  const route = createActionServer({ states })(operations.listContacts, {}, async () => ({ contacts: [] }));
  expect(await route.handle(callOf())).toEqual({ contacts: [] });
});

test('a number that is not linked is refused after its plan is checked', async () => {
  const serveUnlinked = createActionServer({ states: { find: () => undefined } });
  const route = serveUnlinked(operations.listGroups, {}, async () => ({ groups: [] }));
  await expect(route.handle(callOf())).rejects.toMatchObject({ code: 'session_not_hosted' });
  await expect(route.handle(callOf({ plan: 'free' }))).rejects.toMatchObject({ code: 'plan_lacks_feature' });
});

test('a refusal becomes the operation’s error, with the network’s error as its cause', async () => {
  const words = { not_found: 'photo_not_set', refused: 'photo_hidden' } as const;
  const route = serveAction(operations.getContactPhoto, words, refusing('refused'));
  await expect(route.handle(callOf())).rejects.toMatchObject({
    code: 'photo_hidden',
    status: 403,
    cause: { kind: 'refused' },
  });
});

test('an error may take a second query', async () => {
  const route = serveAction(
    operations.renameGroup,
    {
      refused: async ({ params }) =>
        params.group_id === '1@g.us' ? 'group_admin_required' : 'group_not_found',
    },
    refusing('refused'),
  );
  await expect(route.handle(callOf())).rejects.toMatchObject({ code: 'group_admin_required' });
});

test.each([
  ['refused', 403],
  ['malformed', 400],
  ['not_found', 400],
  ['permanent', 400],
] as const)('without an error of its own, %s still has a status', async (kind, status) => {
  const route = serveAction(operations.listContacts, {}, refusing(kind));
  await expect(route.handle(callOf())).rejects.toMatchObject({ status });
});

test('API errors and bugs pass through', async () => {
  const busy = serveAction(operations.listContacts, {}, () => Promise.reject(apiError('too_many_actions')));
  await expect(busy.handle(callOf())).rejects.toMatchObject({ status: 429, retryAfterSeconds: 1 });
  const broken = serveAction(operations.listContacts, {}, () => Promise.reject(new TypeError('a bug')));
  await expect(broken.handle(callOf())).rejects.toThrow(TypeError);
});
