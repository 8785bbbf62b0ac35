import { type Group, operations } from '@parley/contract';
import type { ForeignAnswer, ForeignEndpoint } from '#http';
import { pictureOf } from '../chat/endpoints.ts';
import { addressOf, fieldsOf, flag, jidOf, list, number, optionalText, text } from '../input.ts';
import { type EvolutionContext, type InstanceCall, onInstance, sessionOf } from '../instances.ts';
import { badRequest, invalid } from '../refusals.ts';

type GroupCall = InstanceCall & { readonly group: { readonly id: string; readonly group_id: string } };

export function groupEndpoints(context: EvolutionContext): ForeignEndpoint[] {
  const onGroup = (
    method: ForeignEndpoint['method'],
    path: string,
    handle: (call: GroupCall) => Promise<ForeignAnswer>,
  ): ForeignEndpoint =>
    onInstance(context, [method, `/group/${path}`], (call) => {
      const jid = optionalText(call.query, 'groupJid') ?? optionalText(fieldsOf(call.body), 'groupJid');
      if (jid === undefined) throw badRequest('The group id needs to be informed in the query');
      const group_id = jid.includes('@') ? jid : `${jid}@g.us`;
      return handle({ ...call, group: { id: sessionOf(call.instance), group_id } });
    });
  const paramsOf = ({ instance }: InstanceCall) => ({ id: sessionOf(instance) });

  return [
    onInstance(context, ['POST', '/group/create'], async (call) => {
      const fields = fieldsOf(call.body);
      const participants = list(fields, 'participants').map((each) => jidOf(String(each)));
      const body = { name: text(fields, 'subject'), participants };
      const made = await call.invoke(operations.createGroup, { params: paramsOf(call), body });
      const description = optionalText(fields, 'description');
      const group = { ...paramsOf(call), group_id: made.jid };
      if (description) await call.invoke(operations.describeGroup, { params: group, body: { description } });
      return { status: 201, body: shownGroup({ ...made, description: description ?? made.description }) };
    }),
    onInstance(context, ['GET', '/group/fetchAllGroups'], async (call) => {
      const { groups } = await call.invoke(operations.listGroups, { params: paramsOf(call) });
      const withMembers = flag(call.query, 'getParticipants') ?? false;
      const shown: object[] = [];
      for (const { jid } of groups) {
        const params = { ...paramsOf(call), group_id: jid };
        const group = shownGroup(await call.invoke(operations.getGroup, { params }));
        const { participants, ...head } = group;
        shown.push(withMembers ? { ...head, participants } : head);
      }
      return { body: shown };
    }),
    onGroup('GET', 'findGroupInfos', async (call) => {
      const group = shownGroup(await call.invoke(operations.getGroup, { params: call.group }));
      return { body: { ...group, pictureUrl: await pictureOf(call, call.group.group_id) } };
    }),
    onGroup('GET', 'participants', async (call) => {
      const { participants } = shownGroup(await call.invoke(operations.getGroup, { params: call.group }));
      return { body: { participants } };
    }),
    onGroup('POST', 'updateParticipant', async (call) => {
      const fields = fieldsOf(call.body);
      const participants = list(fields, 'participants').map((each) => jidOf(String(each)));
      const body = { action: text(fields, 'action'), participants };
      const { results } = await call.invoke(operations.changeParticipants, { params: call.group, body });
      const shown = results.map(({ jid, ok }) => ({ status: ok ? '200' : '403', jid, content: {} }));
      return { status: 201, body: { updateParticipants: shown } };
    }),
    onGroup('POST', 'updateGroupSubject', async (call) => {
      const name = text(fieldsOf(call.body), 'subject');
      await call.invoke(operations.renameGroup, { params: call.group, body: { name } });
      return { status: 201, body: { update: 'success' } };
    }),
    onGroup('POST', 'updateGroupDescription', async (call) => {
      const description = optionalText(fieldsOf(call.body), 'description') ?? '';
      await call.invoke(operations.describeGroup, { params: call.group, body: { description } });
      return { status: 201, body: { update: 'success' } };
    }),
    onGroup('POST', 'updateGroupPicture', async (call) => {
      const image_url = text(fieldsOf(call.body), 'image');
      await call.invoke(operations.setGroupPhoto, { params: call.group, body: { image_url } });
      return { status: 201, body: { update: 'success' } };
    }),
    onGroup('GET', 'inviteCode', async (call) => {
      const { invite_link, code } = await call.invoke(operations.getGroupInvite, { params: call.group });
      return { body: { inviteUrl: invite_link, inviteCode: code } };
    }),
    onGroup('POST', 'sendInvite', async (call) => {
      const fields = fieldsOf(call.body);
      const people = list(fields, 'numbers').map((each) => addressOf(String(each)));
      if (people.length === 0) throw invalid('numbers does not meet minimum length of 1');
      const { invite_link } = await call.invoke(operations.getGroupInvite, { params: call.group });
      const said = [optionalText(fields, 'description'), invite_link].filter(Boolean).join('\n\n');
      for (const [at, to] of people.entries())
        await call.invoke(operations.sendMessage, {
          body: { session_id: call.group.id, to, text: said },
          headers: { 'Idempotency-Key': `${call.requestId}-${at}` },
        });
      return { body: { send: true, inviteUrl: invite_link } };
    }),
    ...(['POST', 'PUT'] as const).map((method) =>
      onGroup(method, 'revokeInviteCode', async (call) => {
        const query = { reset: 'true' };
        const { code } = await call.invoke(operations.getGroupInvite, { params: call.group, query });
        return { status: 201, body: { revoked: true, inviteCode: code } };
      }),
    ),
    onInstance(context, ['GET', '/group/acceptInviteCode'], async (call) => {
      const link = text(call.query, 'inviteCode');
      const { jid } = await call.invoke(operations.joinGroup, { params: paramsOf(call), body: { link } });
      return { body: { accepted: true, groupJid: jid } };
    }),
    onGroup('POST', 'updateSetting', async (call) => {
      const settings = {
        announcement: { announce: true },
        not_announcement: { announce: false },
        locked: { locked: true },
        unlocked: { locked: false },
      }[text(fieldsOf(call.body), 'action')];
      if (!settings)
        throw invalid('action is not one of enum values: announcement,not_announcement,locked,unlocked');
      await call.invoke(operations.changeGroupSettings, { params: call.group, body: settings });
      return { status: 201, body: { updateSetting: 'success' } };
    }),
    onGroup('POST', 'toggleEphemeral', async (call) => {
      const seconds = number(fieldsOf(call.body), 'expiration');
      const body = {
        session_id: call.group.id,
        to: call.group.group_id,
        type: 'disappearing',
        disappearing_timer: TIMERS[seconds],
      };
      if (body.disappearing_timer === undefined)
        throw invalid('expiration is not one of enum values: 0,86400,604800,7776000');
      await call.invoke(operations.sendMessage, { body, headers: { 'Idempotency-Key': call.requestId } });
      return { status: 201, body: { success: true } };
    }),
    onGroup('DELETE', 'leaveGroup', async (call) => {
      await call.invoke(operations.leaveGroup, { params: call.group });
      return { body: { groupJid: call.group.group_id, leave: true } };
    }),
  ];
}

const TIMERS: Readonly<Record<number, string>> = { 0: 'off', 86400: '24h', 604800: '7d', 7776000: '90d' };

function shownGroup(group: Group) {
  return {
    id: group.jid,
    subject: group.name,
    subjectOwner: group.owner_jid,
    subjectTime: group.created_at_unix,
    pictureUrl: null as string | null,
    size: group.participants.length,
    creation: group.created_at_unix,
    owner: group.owner_jid,
    desc: group.description,
    restrict: group.locked,
    announce: group.announce,
    isCommunity: false,
    isCommunityAnnounce: false,
    participants: group.participants.map(({ jid, phone_jid, is_admin, is_super_admin }) => ({
      id: jid,
      ...(phone_jid && { phoneNumber: phone_jid }),
      admin: is_super_admin ? 'superadmin' : is_admin ? 'admin' : null,
    })),
  };
}
