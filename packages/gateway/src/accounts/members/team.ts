import type { MemberRole, Member as PublicMember, Team } from '@parley/contract';
import { fault } from '#kernel';
import type { Writer } from '#store';
import { record } from '../audit/store.ts';
import { changeInTurn, updateAccount } from '../store.ts';
import type { MembersContext } from './context.ts';
import { openInvitationsOf } from './invitation-store.ts';
import { publicInvitation } from './invitations.ts';
import { actorOf, endSessions, listMembers } from './members.ts';
import { deleteFactor } from './second-factor/store.ts';
import { deleteLinksOf, deleteMember, findMembersOf, type Member, updateMember } from './store.ts';

export async function readTeam(context: MembersContext, accountId: string): Promise<Team> {
  const { store, machineClock } = context;
  const invitations = await openInvitationsOf(store.read, accountId, machineClock.now());
  return {
    members: await listMembers(context, accountId),
    invitations: invitations.map(publicInvitation),
  };
}

interface Acting {
  readonly accountId: string;
  /** Who does it. */
  readonly memberId: string;
}

export async function changeMember(
  context: MembersContext,
  acting: Acting,
  { memberId, role }: { memberId: string; role: MemberRole },
): Promise<PublicMember> {
  const { store, clock } = context;
  const { accountId } = acting;
  await changeInTurn(store, async (trx) => {
    const { member, others } = await teamWith(trx, accountId, memberId);
    if (member.role === role) return;
    if (member.role === 'owner') await handOver(trx, member, others);
    await updateMember(trx, memberId, { role });
    await record(trx, clock.now(), {
      actor: actorOf({ id: acting.memberId }),
      accountId,
      action: 'member.changed',
      subject: memberId,
      detail: { role },
    });
  });
  const changed = (await listMembers(context, accountId)).find((each) => each.member_id === memberId);
  if (!changed) throw fault('member_not_found');
  return changed;
}

/** By another, or by the member. Their visits end, and nothing by which they could come in is left. */
export async function removeMember(
  { store, clock }: MembersContext,
  { accountId, memberId: actorId }: Acting,
  memberId: string,
): Promise<void> {
  await changeInTurn(store, async (trx) => {
    const { member, others } = await teamWith(trx, accountId, memberId);
    if (member.role === 'owner') await handOver(trx, member, others);
    await endSessions(trx, member);
    await deleteLinksOf(trx, memberId);
    await deleteFactor(trx, memberId);
    await deleteMember(trx, memberId);
    await record(trx, clock.now(), {
      actor: actorOf({ id: actorId }),
      accountId,
      action: actorId === memberId ? 'member.left' : 'member.removed',
      subject: memberId,
      detail: { email: member.email },
    });
  });
}

async function teamWith(
  trx: Writer,
  accountId: string,
  memberId: string,
): Promise<{ member: Member; others: readonly Member[] }> {
  const members = await findMembersOf(trx, accountId);
  const member = members.find(({ id }) => id === memberId);
  if (!member) throw fault('member_not_found');
  return { member, others: members.filter(({ id }) => id !== memberId) };
}

/** An account always has an owner. Where the first one goes, the account gets the email and the password of the next. */
async function handOver(trx: Writer, leaving: Member, others: readonly Member[]): Promise<void> {
  const next = others.find(({ role }) => role === 'owner');
  if (!next) throw fault('last_owner');
  if (!leaving.isFirst) return;
  // Before the account has another first owner, to whom visits without a name would belong from then on.
  await endSessions(trx, leaving);
  await updateMember(trx, leaving.id, { password_hash: leaving.passwordHash });
  await updateAccount(trx, leaving.accountId, { email: next.email, password_hash: next.passwordHash });
  await updateMember(trx, next.id, { password_hash: null });
}
