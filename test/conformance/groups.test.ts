import type { Group, GroupInvite, GroupRequests, ParticipantsChanged } from '@parley/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import { useFileServer } from './file-server.ts';
import { type LinkedNumber, linkedNumber, newPhoneNumber, type Someone, someone } from './numbers.ts';
import { sharedGateway } from './shared-gateway.ts';

const gateway = sharedGateway();
const files = useFileServer();
const UNKNOWN = '120363000000000000@g.us';

let me: LinkedNumber;
/** Linked as well, for changes of groups that only a session can make. */
let ada: LinkedNumber;
let ben: Someone;

beforeAll(async () => {
  [me, ada, ben] = await Promise.all([
    linkedNumber(gateway),
    linkedNumber(gateway, { name: 'Ada' }),
    someone(gateway, { name: 'Ben' }),
  ]);
});

const at = (group: string, path = ''): string => `/groups/${encodeURIComponent(group)}${path}`;

async function create(name = 'Launch team', participants: string[] = [ada.jid]): Promise<Group> {
  const { status, body } = await me.on<Group>('POST', '/groups', { name, participants });
  expect(status).toBe(200);
  return body;
}

/** A group of Ada. */
async function createdByAda(...participants: string[]): Promise<string> {
  const { jid } = await gateway.sandbox<Group>('POST', `/phones/${ada.phone}/groups`, {
    name: 'Lunch',
    participants,
  });
  return jid;
}

const detail = async (group: string): Promise<Group> => (await me.on<Group>('GET', at(group))).body;
const asSeenBy = async ({ phone }: { phone: string }, group: string): Promise<Group | undefined> => {
  const { groups } = await gateway.sandbox<{ groups: Group[] }>('GET', `/phones/${phone}`);
  return groups.find(({ jid }) => jid === group);
};
const memberOf = ({ participants }: Group, { jid }: { jid: string }) =>
  participants.find((member) => member.jid === jid || member.phone_jid === jid);

describe('creating and reading', () => {
  test('a new group has its creator, the added members, and no others', async () => {
    const unregistered = `${newPhoneNumber()}@s.whatsapp.net`;
    const group = await create('Launch team', [ada.jid, ben.jid, unregistered]);
    expect(group).toMatchObject({ name: 'Launch team', description: '', announce: false, locked: false });
    expect(group.created_at_unix).toBeGreaterThan(1_700_000_000);
    expect(group.participants).toHaveLength(3);
    expect(memberOf(group, me)).toMatchObject({ is_admin: true, is_super_admin: true });
    expect(memberOf(group, ada)).toMatchObject({ is_admin: false, is_super_admin: false });
    expect(memberOf(group, { jid: unregistered })).toBeUndefined();
    expect([memberOf(group, me)?.jid, me.jid]).toContain(group.owner_jid);
    expect(await asSeenBy(ada, group.jid)).toMatchObject({ name: 'Launch team' });
    expect(await me.on('GET', at(group.jid))).toMatchObject({ status: 200, body: group });
  });

  test('the list has every group of the number', { tags: 'anywhere' }, async () => {
    const [mine, theirs, foreign] = [
      await create('Mine'),
      await createdByAda(me.jid),
      await createdByAda(ben.jid),
    ];
    const { status, body } = await me.on<{ groups: unknown[] }>('GET', '/groups');
    expect(status).toBe(200);
    expect(body.groups).toContainEqual({ jid: mine.jid, name: 'Mine' });
    expect(body.groups).toContainEqual({ jid: theirs, name: 'Lunch' });
    expect(body.groups).not.toContainEqual({ jid: foreign, name: 'Lunch' });
  });

  test.each([
    ['a name of 26 characters', { name: 'x'.repeat(26), participants: [] }, /name/],
    ['no name', { participants: [] }, /name/],
    ['a participant that is no JID', { name: 'x', participants: ['ada'] }, /participants\[0\]/],
    [
      'a participant with a device',
      { name: 'x', participants: ['15550002001:1@s.whatsapp.net'] },
      /participants\[0\]/,
    ],
    ['an unknown field', { name: 'x', participants: [], subject: 'y' }, /subject/],
  ])('%s is 400', { tags: 'anywhere' }, async (_, body, words) => {
    expect(await me.on('POST', '/groups', body)).toMatchObject({
      status: 400,
      body: { error: expect.stringMatching(words) },
    });
  });
});

describe('members', () => {
  test('are added, promoted, demoted and removed', async () => {
    const { jid } = await create('Crew', []);
    const change = (action: string) =>
      me.on<ParticipantsChanged>('POST', at(jid, '/participants'), { participants: [ada.jid], action });
    for (const [action, isAdmin] of [
      ['add', false],
      ['promote', true],
      ['demote', false],
    ] as const) {
      expect(await change(action)).toMatchObject({
        status: 200,
        body: { jid, action, results: [{ jid: ada.jid, ok: true }] },
      });
      expect(memberOf(await detail(jid), ada)?.is_admin).toBe(isAdmin);
    }
    await change('remove');
    expect(memberOf(await detail(jid), ada)).toBeUndefined();
  });

  test('each has its own result, in request order', async () => {
    const { jid } = await create('Crew', [ada.jid]);
    const unregistered = `${newPhoneNumber()}@s.whatsapp.net`;
    const participants = [unregistered, ben.jid, ada.jid, ben.jid];
    const { body } = await me.on<ParticipantsChanged>('POST', at(jid, '/participants'), {
      participants,
      action: 'add',
    });
    expect(body.results).toEqual([
      { jid: unregistered, ok: false, error: expect.any(String) },
      { jid: ben.jid, ok: true },
      { jid: ada.jid, ok: false, error: expect.any(String) },
    ]);
  });

  test.each([
    ['an unknown action', { participants: ['15550002001@s.whatsapp.net'], action: 'ban' }],
    ['unregistered', { participants: [], action: 'add' }],
  ])('%s is 400', { tags: 'anywhere' }, async (_, body) => {
    expect((await me.on('POST', at(UNKNOWN, '/participants'), body)).status).toBe(400);
  });
});

describe('name, description, photo and settings', () => {
  test('name and description change, and an empty description removes it', { tags: 'anywhere' }, async () => {
    const { jid } = await create();
    expect(await me.on('POST', at(jid, '/name'), { name: 'Landing team' })).toMatchObject({
      status: 200,
      body: { jid, name: 'Landing team' },
    });
    expect(await me.on('POST', at(jid, '/description'), { description: 'All of it' })).toMatchObject({
      status: 200,
      body: { jid, description: 'All of it' },
    });
    expect(await detail(jid)).toMatchObject({ name: 'Landing team', description: 'All of it' });
    expect((await me.on('POST', at(jid, '/description'), { description: '' })).body).toEqual({
      jid,
      description: '',
    });
    expect((await detail(jid)).description).toBe('');
  });

  test('the photo is downloaded from its URL, shown to others, and removed by an empty URL', async () => {
    const { jid } = await create();
    const photo = `/contacts/${encodeURIComponent(jid)}/photo`;
    const set = await me.on<{ picture_id: string }>('POST', at(jid, '/photo'), {
      image_url: files.url('/picture.png'),
    });
    expect(set).toMatchObject({ status: 200, body: { picture_id: expect.stringMatching(/./) } });
    expect(await me.on('GET', photo)).toMatchObject({
      status: 200,
      body: { picture: { has_picture: true, id: set.body.picture_id } },
    });
    expect((await me.on('POST', at(jid, '/photo'), { image_url: '' })).body).toEqual({ picture_id: '' });
    expect(await me.on('GET', photo)).toMatchObject({
      status: 404,
      body: { error: 'no profile photo was ever set' },
    });
  });

  test.each([
    ['/nowhere.png', 'media could not be downloaded from its url'],
    ['/page.html', 'image_url does not point to an image'],
    ['/broken.png', 'the image cannot be used as a picture'],
  ])('the photo at %s is 400', { tags: 'anywhere' }, async (path, error) => {
    const { jid } = await create();
    expect(await me.on('POST', at(jid, '/photo'), { image_url: files.url(path) })).toMatchObject({
      status: 400,
      body: { error },
    });
  });

  test('settings are changed separately, and returned together', { tags: 'anywhere' }, async () => {
    const { jid } = await create();
    const change = async (body: object) => (await me.on('POST', at(jid, '/settings'), body)).body;
    expect(await change({ announce: true })).toEqual({ jid, announce: true, locked: false });
    expect(await change({ locked: true })).toEqual({ jid, announce: true, locked: true });
    expect(await change({ announce: false, locked: false })).toEqual({ jid, announce: false, locked: false });
    expect((await me.on('POST', at(jid, '/settings'), {})).status).toBe(400);
  });

  test('who joins, who adds and how long messages stay is answered to those who ask for it', async () => {
    const { jid } = await create();
    const change = async (body: object) => (await me.on('POST', at(jid, '/settings'), body)).body;
    const kept = { jid, announce: false, locked: false };
    const rules = { join_approval: true, members_add: true, ephemeral_seconds: 86_400 };
    expect(await change(rules)).toEqual({ ...kept, ...rules });
    expect(await change({ ephemeral_seconds: 0 })).toEqual({ ...kept, ephemeral_seconds: 0 });
    expect(await change({ join_approval: false, members_add: false })).toEqual({
      ...{ ...kept, join_approval: false, members_add: false },
    });
    for (const wrong of [{ ephemeral_seconds: 60 }, { join_approval: 'on' }, { members_add: 1 }]) {
      expect((await me.on('POST', at(jid, '/settings'), wrong)).status).toBe(400);
    }
    expect(await change({ announce: false })).toEqual(kept);
  });
});

describe('invitations', () => {
  test('a link works, as link and as code, until it is reset', async () => {
    const guest = await linkedNumber(gateway);
    const { jid } = await create('Open house', []);
    const invite = async (query = ''): Promise<GroupInvite> =>
      (await me.on<GroupInvite>('GET', at(jid, `/invite-link${query}`))).body;
    const join = (link: string) => guest.on('POST', '/groups/join', { link });

    const old = await invite();
    expect(old.invite_link).toBe(`https://chat.whatsapp.com/${old.code}`);
    expect(await invite()).toEqual(old);
    expect(await join(old.invite_link)).toMatchObject({ status: 200, body: { jid } });

    const fresh = await invite('?reset=true');
    expect(fresh.code).not.toBe(old.code);
    expect(await guest.on('POST', at(jid, '/leave'))).toMatchObject({
      status: 200,
      body: { jid, left: true },
    });
    expect(await join(old.code)).toMatchObject({
      status: 404,
      body: { error: 'invite link is invalid or was revoked' },
    });
    expect((await join(fresh.code)).body).toEqual({ jid });
    expect(await asSeenBy(guest, jid)).toBeDefined();
  });

  test('joining a group that wants approval is 202, until an admin lets the number in', async () => {
    const guest = await linkedNumber(gateway);
    const jid = await createdByAda(ben.jid);
    const asAdmin = (path: string, body: object): Promise<unknown> =>
      gateway.sandbox('POST', `/phones/${ada.phone}${at(jid, path)}`, body);
    const code = (await ada.on<GroupInvite>('GET', at(jid, '/invite-link'))).body.code;
    await asAdmin('/settings', { join_approval: true });
    const join = () => guest.on('POST', '/groups/join', { link: code });
    for (let times = 0; times < 2; times++)
      expect(await join()).toMatchObject({ status: 202, body: { jid, status: 'pending_approval' } });
    expect((await guest.on('GET', at(jid))).status).toBe(403);

    await asAdmin('/requests', { participants: [guest.jid], action: 'approve' });
    expect((await guest.on('GET', at(jid))).status).toBe(200);
    const { status, body } = await join();
    expect({ status, body }).toEqual({ status: 200, body: { jid } });
  });

  test('an admin lists the requests to join, lets people in and rejects them', async () => {
    const guest = await linkedNumber(gateway);
    const { jid } = await create('By appointment', []);
    await gateway.sandbox('POST', `/phones/${me.phone}${at(jid, '/settings')}`, { join_approval: true });
    const { code } = (await me.on<GroupInvite>('GET', at(jid, '/invite-link'))).body;
    const ask = async () => {
      expect((await guest.on('POST', '/groups/join', { link: code })).status).toBe(202);
      const { body } = await me.on<GroupRequests>('GET', at(jid, '/requests'));
      expect(body.requests).toMatchObject([{ phone_jid: guest.jid, method: 'invite_link' }]);
    };
    const answer = (action: string, participants: string[]) =>
      me.on('POST', at(jid, '/requests'), { action, participants });

    await ask();
    expect(await answer('reject', [guest.jid])).toMatchObject({
      status: 200,
      body: { jid, action: 'reject', results: [{ jid: guest.jid, ok: true }] },
    });
    expect((await me.on('GET', at(jid, '/requests'))).body).toEqual({ requests: [] });
    await ask();
    expect((await guest.on('GET', at(jid, '/requests'))).status).toBe(403);
    expect(await answer('approve', [ben.jid, guest.jid])).toMatchObject({
      body: {
        results: [
          { jid: ben.jid, ok: false, error: expect.stringContaining('asked') },
          { jid: guest.jid, ok: true },
        ],
      },
    });
    expect((await guest.on('GET', at(jid))).status).toBe(200);
    expect((await answer('admit', [guest.jid])).status).toBe(400);
  });

  test('a foreign link is 400', { tags: 'anywhere' }, async () => {
    const answer = await me.on('POST', '/groups/join', { link: 'https://example.com/AbCdEfGh' });
    expect(answer.status).toBe(400);
  });
});

describe('what is refused', { tags: 'anywhere' }, () => {
  const changes: [string, () => [string, object?]][] = [
    ['participants', () => ['/participants', { participants: [ben.jid], action: 'add' }]],
    ['name', () => ['/name', { name: 'Mine now' }]],
    ['description', () => ['/description', { description: 'Mine now' }]],
    ['photo', () => ['/photo', { image_url: files.url('/picture.png') }]],
    ['settings', () => ['/settings', { announce: true }]],
  ];

  test.each(changes)('%s of a locked group needs an admin', async (_, request) => {
    const group = await createdByAda(me.jid);
    expect((await ada.on('POST', at(group, '/settings'), { locked: true })).status).toBe(200);
    const [path, body] = request();
    expect(await me.on('POST', at(group, path), body)).toMatchObject({
      status: 403,
      body: { error: 'session is not an admin of this group' },
    });
  });

  test('the invite link needs an admin', async () => {
    const group = await createdByAda(me.jid);
    expect(await me.on('GET', at(group, '/invite-link'))).toMatchObject({
      status: 403,
      body: { error: 'session is not an admin of this group' },
    });
  });

  test.each([...changes, ['leave', () => ['/leave']] as (typeof changes)[number]])(
    '%s of a group that the number is not in needs membership',
    async (_, request) => {
      const group = await createdByAda(ben.jid);
      const [path, body] = request();
      expect(await me.on('POST', at(group, path), body)).toMatchObject({
        status: 403,
        body: { error: 'session is not a member of this group' },
      });
    },
  );

  test.each([...changes, ['leave', () => ['/leave']] as (typeof changes)[number]])(
    '%s of an unknown group is 404',
    async (_, request) => {
      const [path, body] = request();
      expect(await me.on('POST', at(UNKNOWN, path), body)).toMatchObject({
        status: 404,
        body: { error: 'group not found' },
      });
    },
  );

  test('reading a group that the number has left needs membership', async () => {
    const { jid } = await create();
    await me.on('POST', at(jid, '/leave'));
    expect(await me.on('GET', at(jid))).toMatchObject({
      status: 403,
      body: { error: 'session is not a member of this group' },
    });
    expect(await me.on('GET', at(UNKNOWN))).toMatchObject({
      status: 404,
      body: { error: 'group not found' },
    });
  });

  test.each(['nonsense', '15550002001@s.whatsapp.net', '1@newsletter'])(
    'the group id %s is 400',
    async (id) => {
      expect((await me.on('GET', at(id))).status).toBe(400);
    },
  );
});
