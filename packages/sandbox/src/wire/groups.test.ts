import { type BinaryNode, generateWAMessageFromContent, proto } from 'baileys';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { ada, ben, cleo, handset, text, unregistered } from '../world/fixture.ts';
import { type Client, event, startTestNetwork, type TestNetwork } from './fixture.ts';

let network: TestNetwork;
let client: Client;
const jid = (phone: string) => `${phone}@s.whatsapp.net`;

beforeAll(async () => {
  network = await startTestNetwork();
  client = await network.link(ada);
});
afterAll(() => network.stop());

it('creates a group, and shows its members by LID with the number beside it', async () => {
  const group = await client.sock.groupCreate('Readers', [jid(ben)]);
  expect(group.subject).toBe('Readers');
  const { lid } = network.world.phones.get(ben);
  expect(group.participants).toContainEqual(
    expect.objectContaining({ id: `${lid}@lid`, phoneNumber: jid(ben) }),
  );
  expect(await client.sock.groupFetchAllParticipating()).toHaveProperty(group.id);
});

it('carries messages in a group both ways', async () => {
  const { group } = network.world.groups.create(handset(ben), {
    name: 'Both ways',
    participants: [ada, cleo],
  });
  const sent = await client.sock.sendMessage(group.jid, { text: 'from Ada' });
  await vi.waitFor(() => {
    for (const phone of [ben, cleo]) {
      expect(network.world.messages.find(phone, sent?.key.id ?? '')?.content).toMatchObject({
        text: 'from Ada',
      });
    }
  });
  for (const words of ['first', 'second']) {
    const arrived = event(client.sock, 'messages.upsert', ({ messages }) => messages[0]?.key.id === words);
    network.world.messages.send(handset(ben), { id: words, to: group.jid, content: text(words) });
    const { messages } = await arrived;
    expect(messages[0]).toMatchObject({
      key: { remoteJid: group.jid, participantAlt: jid(ben) },
      message: { conversation: words },
    });
  }
});

it('accepts the deletion of a foreign message from admins only, whatever a client claims', async () => {
  const { group } = network.world.groups.create(handset(ben), {
    name: 'Deleting',
    participants: [ada, cleo],
  });
  const { jid: to } = group;
  const { id } = network.world.messages.send(handset(ben), { id: 'RUDE', to, content: text('rude') });
  const asAdmin = { delete: { remoteJid: to, fromMe: false, id, participant: jid(ben) } };
  const answerTo = async (deletion: string, edit: string): Promise<string | undefined> => {
    const answer = new Promise<string | undefined>((resolve) =>
      client.sock.ws.once(`CB:ack,id:${deletion}`, ({ attrs }) => resolve(attrs.error)),
    );
    const message = generateWAMessageFromContent(
      to,
      { protocolMessage: { type: proto.Message.ProtocolMessage.Type.REVOKE, key: asAdmin.delete } },
      { userJid: jid(ada), messageId: deletion },
    );
    await client.sock.relayMessage(to, message.message ?? {}, {
      messageId: deletion,
      additionalAttributes: { edit },
    });
    return answer;
  };
  const revoked = () => network.world.messages.find(cleo, id)?.revoked;
  // Distributes this client's sender key.
  const hello = await client.sock.sendMessage(to, { text: 'hello' });
  await vi.waitFor(() => {
    expect(network.world.messages.find(cleo, hello?.key.id ?? '')?.content).toMatchObject({ text: 'hello' });
  });

  expect(await answerTo('FORGED1', '8')).toBe('403');
  // The network cannot see this forgery, and the phones ignore it.
  expect(await answerTo('FORGED2', '7')).toBeUndefined();
  expect(revoked()).toBeUndefined();

  network.world.groups.participants(handset(ben), to, 'promote', [jid(ada)]);
  expect(await answerTo('RIGHT', '8')).toBeUndefined();
  expect(revoked()).toMatchObject({ by: { phone: ada } });
});

it('changes members one by one and reports each outcome', async () => {
  const group = await client.sock.groupCreate('Changing', [jid(ben)]);
  const added = await client.sock.groupParticipantsUpdate(
    group.id,
    [jid(cleo), jid(unregistered), jid(ben)],
    'add',
  );
  expect(added.map(({ status }) => status)).toEqual(['200', '404', '409']);
  await client.sock.groupParticipantsUpdate(group.id, [jid(ben)], 'promote');
  await client.sock.groupParticipantsUpdate(group.id, [jid(cleo)], 'remove');
  const { participants } = await client.sock.groupMetadata(group.id);
  expect(participants.map(({ phoneNumber, admin }) => [phoneNumber, admin])).toEqual([
    [jid(ada), 'superadmin'],
    [jid(ben), 'admin'],
  ]);
});

it('renames, describes, locks, mutes and leaves', async () => {
  const { id } = await client.sock.groupCreate('Old name', [jid(ben)]);
  await client.sock.groupUpdateSubject(id, 'New name');
  await client.sock.groupUpdateDescription(id, 'What we read');
  await client.sock.groupSettingUpdate(id, 'announcement');
  await client.sock.groupSettingUpdate(id, 'locked');
  await client.sock.groupToggleEphemeral(id, 86_400);
  expect(await client.sock.groupMetadata(id)).toMatchObject({
    subject: 'New name',
    desc: 'What we read',
    announce: true,
    restrict: true,
    ephemeralDuration: 86_400,
  });
  await client.sock.groupLeave(id);
  await expect(client.sock.groupMetadata(id)).rejects.toThrow();
});

it('joins by invite code, and refuses a code that was reset', async () => {
  const { group } = network.world.groups.create(handset(ben), { name: 'Open house', participants: [] });
  const code = network.world.groups.inviteCode(handset(ben), group.jid);
  expect(await client.sock.groupGetInviteInfo(code)).toMatchObject({ subject: 'Open house' });
  expect(await client.sock.groupAcceptInvite(code)).toBe(group.jid);
  network.world.groups.participants(handset(ben), group.jid, 'promote', [ada]);
  const fresh = await client.sock.groupRevokeInvite(group.jid);
  expect(await client.sock.groupInviteCode(group.jid)).toBe(fresh);
  await expect(client.sock.groupGetInviteInfo(code)).rejects.toMatchObject({ data: 410, message: 'gone' });
  await expect(client.sock.groupGetInviteInfo('NoSuchInvite')).rejects.toMatchObject({
    data: 406,
    message: 'not-acceptable',
  });
  network.world.groups.participants(handset(ben), group.jid, 'demote', [ada]);
  await expect(client.sock.groupInviteCode(group.jid)).rejects.toMatchObject({ data: 401 });
});

it('answers an invite of a group with approval with the request, and notifies its admins', async () => {
  const { groups } = network.world;
  const { group } = groups.create(handset(ben), { name: 'Closed house', participants: [] });
  groups.setJoinApproval(handset(ben), group.jid, true);
  const code = groups.inviteCode(handset(ben), group.jid);
  const join = (): Promise<BinaryNode> =>
    client.sock.query({
      tag: 'iq',
      attrs: { type: 'set', xmlns: 'w:g2', to: '@g.us' },
      content: [{ tag: 'invite', attrs: { code } }],
    });
  for (let times = 0; times < 2; times++) {
    const { content } = await join();
    expect(content).toEqual([{ tag: 'membership_approval_request', attrs: { jid: group.jid } }]);
  }
  expect(await client.sock.groupFetchAllParticipating()).not.toHaveProperty(group.jid);
  const added = event(client.sock, 'group-participants.update', ({ id }) => id === group.jid);
  groups.answerRequests(handset(ben), group.jid, 'approve', [ada]);
  expect(await added).toMatchObject({ action: 'add', participants: [{ phoneNumber: jid(ada) }] });

  groups.participants(handset(ben), group.jid, 'promote', [ada]);
  const next = () => event(client.sock, 'group.join-request', ({ id }) => id === group.jid);
  const requested = next();
  groups.join(handset(cleo), code);
  expect(await requested).toMatchObject({ action: 'created', method: 'invite_link' });
  const rejected = next();
  groups.answerRequests(handset(ben), group.jid, 'reject', [cleo]);
  expect(await rejected).toMatchObject({ action: 'rejected', participantPn: jid(cleo) });
});

it('creates a group with the settings of the order, and makes no plain group of a community', async () => {
  const create = async (...settings: BinaryNode[]): Promise<BinaryNode> =>
    client.sock.query({
      tag: 'iq',
      attrs: { type: 'set', xmlns: 'w:g2', to: '@g.us' },
      content: [
        {
          tag: 'create',
          attrs: { subject: 'Ready made', key: 'K' },
          content: [{ tag: 'participant', attrs: { jid: jid(ben) } }, ...settings],
        },
      ],
    });
  const { content } = await create(
    { tag: 'locked', attrs: {} },
    { tag: 'announcement', attrs: {} },
    { tag: 'ephemeral', attrs: { expiration: '86400' } },
    {
      tag: 'membership_approval_mode',
      attrs: {},
      content: [{ tag: 'group_join', attrs: { state: 'on' } }],
    },
    { tag: 'member_add_mode', attrs: {}, content: 'all_member_add' },
    { tag: 'description', attrs: { id: 'D' }, content: [{ tag: 'body', attrs: {}, content: 'All set' }] },
  );
  const [group] = Array.isArray(content) ? content : [];
  expect(await client.sock.groupMetadata(group?.attrs.jid ?? '')).toMatchObject({
    restrict: true,
    announce: true,
    ephemeralDuration: 86_400,
    joinApprovalMode: true,
    memberAddMode: true,
    desc: 'All set',
  });
  const before = network.world.groups.of(ada).length;
  await expect(create({ tag: 'parent', attrs: {} })).rejects.toMatchObject({ data: 501 });
  expect(network.world.groups.of(ada)).toHaveLength(before);
});

it('names author, time and versions of a change', async () => {
  const { groups, phones } = network.world;
  const { group } = groups.create(handset(ben), { name: 'Versions', participants: [ada] });
  const next = (tag: string) =>
    new Promise<Record<string, string>>((resolve) =>
      client.sock.ws.once(`CB:notification,type:w:gp2,${tag}`, ({ content }) => resolve(content[0].attrs)),
    );
  const author = { s_o: `${phones.get(ben).lid}@lid`, s_o_pn: jid(ben) };
  const renamed = next('subject');
  groups.rename(handset(ben), group.jid, 'New versions');
  expect(await renamed).toEqual({
    subject: 'New versions',
    s_t: String(Math.floor(groups.get(handset(ben), group.jid).nameSetAt / 1000)),
    ...author,
  });
  const added = next('add');
  groups.participants(handset(ben), group.jid, 'add', [cleo]);
  const first = await added;
  const removed = next('remove');
  groups.participants(handset(ben), group.jid, 'remove', [cleo]);
  const second = await removed;
  expect(first.v_id).toMatch(/^\d{16}$/);
  expect(second.prev_v_id).toBe(first.v_id);
  expect(second.v_id).not.toBe(first.v_id);
  const announced = next('announcement');
  groups.setAnnounce(handset(ben), group.jid, true);
  const { content } = await client.sock.query({
    tag: 'iq',
    attrs: { type: 'get', xmlns: 'w:g2', to: group.jid },
    content: [{ tag: 'query', attrs: { request: 'interactive' } }],
  });
  const [shown]: BinaryNode[] = Array.isArray(content) ? content : [];
  expect(shown?.attrs).toMatchObject({ ...author, p_v_id: second.v_id, a_v_id: (await announced).v_id });
});

it('shows the requests to join to admins only, and takes their answers', async () => {
  const { groups } = network.world;
  const { group } = groups.create(handset(ben), { name: 'Closed club', participants: [ada] });
  groups.setJoinApproval(handset(ben), group.jid, true);
  groups.join(handset(cleo), groups.inviteCode(handset(ben), group.jid));
  const list = () => client.sock.groupRequestParticipantsList(group.jid);
  const answer = (who: string) =>
    client.sock.groupRequestParticipantsUpdate(group.jid, [jid(unregistered), jid(who)], 'approve');
  await expect(list()).rejects.toMatchObject({ data: 403 });
  await expect(answer(cleo)).rejects.toMatchObject({ data: 403 });

  groups.participants(handset(ben), group.jid, 'promote', [ada]);
  const [{ at } = { at: 0 }] = groups.requests(handset(ben), group.jid);
  const { lid } = network.world.phones.get(cleo);
  expect(await list()).toEqual([
    {
      jid: `${lid}@lid`,
      phone_number: jid(cleo),
      request_method: 'invite_link',
      request_time: String(Math.floor(at / 1000)),
    },
  ]);
  expect(await answer(cleo)).toEqual([
    { status: '200', jid: `${lid}@lid` },
    { status: '404', jid: jid(unregistered) },
  ]);
  expect(await list()).toEqual([]);
  expect(groups.of(cleo).map(({ jid }) => jid)).toContain(group.jid);
});

it('notifies a client of changes that others make in a group', async () => {
  const { group } = network.world.groups.create(handset(ben), { name: 'Busy', participants: [ada] });
  const renamed = event(client.sock, 'groups.update', ([update]) => update?.subject === 'Busier');
  network.world.groups.rename(handset(ben), group.jid, 'Busier');
  expect((await renamed)[0]?.id).toBe(group.jid);
  const added = event(client.sock, 'group-participants.update', ({ action }) => action === 'add');
  network.world.groups.participants(handset(ben), group.jid, 'add', [cleo]);
  expect((await added).participants[0]).toMatchObject({ phoneNumber: jid(cleo) });
  const removed = event(client.sock, 'group-participants.update', ({ action }) => action === 'remove');
  network.world.groups.participants(handset(ben), group.jid, 'remove', [ada]);
  expect((await removed).participants[0]).toMatchObject({ phoneNumber: jid(ada) });
});
