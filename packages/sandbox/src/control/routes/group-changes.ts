import { operations } from '@parley/contract';
import Type from 'typebox';
import type { Actor, ParticipantResult, Phone, World } from '../../world/index.ts';
import { Refusal } from '../errors.ts';
import { type ControlRoute, closed, phoneRoute } from '../route.ts';
import { groupView } from '../views.ts';

const { changeGroupSettings, changeParticipants, describeGroup, joinGroup, renameGroup } = operations;

const Settings = closed({
  announce: Type.Optional(Type.Boolean()),
  locked: Type.Optional(Type.Boolean()),
  join_approval: Type.Optional(Type.Boolean()),
  members_add: Type.Optional(Type.Boolean()),
  ephemeral_seconds: changeGroupSettings.body.properties.ephemeral_seconds,
});

const JoinRequestAnswer = closed({
  participants: changeParticipants.body.properties.participants,
  action: Type.Enum(['approve', 'reject'], { type: 'string' }),
});

/** Changes of existing groups by virtual phones, with the bodies of `/v1`. */
export function groupChangeRoutes(world: World): ControlRoute[] {
  const { groups } = world;

  /** A change of one group; answers the changed group. */
  const change = <B extends Type.TSchema>(
    path: string,
    body: B,
    work: (actor: Actor, jid: string, body: Type.Static<B>) => void,
  ): ControlRoute =>
    phoneRoute(
      world,
      'POST',
      { path: `/groups/:jid/${path}`, status: 200, body },
      ({ phone, params, body }) => {
        const actor = handsetOf(phone);
        const { jid = '' } = params;
        work(actor, jid, body);
        return groupView(groups.get(actor, jid));
      },
    );

  return [
    phoneRoute(
      world,
      'POST',
      { path: '/groups/join', status: 200, body: joinGroup.body },
      ({ phone, body }) => {
        const { group, isPending } = groups.join(handsetOf(phone), body.link);
        return isPending ? { jid: group.jid, status: 'pending_approval' } : groupView(group);
      },
    ),
    change('participants', changeParticipants.body, (actor, jid, { participants, action }) =>
      requireAll(groups.participants(actor, jid, action, participants)),
    ),
    change('requests', JoinRequestAnswer, (actor, jid, { participants, action }) =>
      requireAll(groups.answerRequests(actor, jid, action, participants)),
    ),
    change('name', renameGroup.body, (actor, jid, { name }) => groups.rename(actor, jid, name)),
    change('description', describeGroup.body, (actor, jid, { description }) =>
      groups.describe(actor, jid, description),
    ),
    change('settings', Settings, (actor, jid, settings) => {
      const { announce, locked, join_approval, members_add, ephemeral_seconds } = settings;
      if (announce !== undefined) groups.setAnnounce(actor, jid, announce);
      if (locked !== undefined) groups.setLocked(actor, jid, locked);
      if (join_approval !== undefined) groups.setJoinApproval(actor, jid, join_approval);
      if (members_add !== undefined) groups.setEverybodyAdds(actor, jid, members_add);
      if (ephemeral_seconds !== undefined) groups.setDisappearing(actor, jid, ephemeral_seconds);
    }),
    phoneRoute(world, 'POST', { path: '/groups/:jid/leave', status: 204 }, ({ phone, params }) =>
      groups.leave(handsetOf(phone), params.jid ?? ''),
    ),
  ];
}

function requireAll(results: ParticipantResult[]): void {
  const refused = results.find(({ outcome }) => outcome !== 'ok');
  if (refused) throw new Refusal(409, `${refused.jid}: ${refused.outcome}`);
}

const handsetOf = ({ phone }: Phone): Actor => ({ phone, device: 0 });
