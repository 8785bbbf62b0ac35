import {
  type BinaryNode,
  type GroupMetadata,
  getBinaryNodeChild,
  getBinaryNodeChildren,
  type WASocket,
} from 'baileys';
import type { Jid } from '../../content.ts';
import { NetworkError } from '../../errors.ts';
import type { GroupSettings } from '../../events.ts';
import type {
  Group,
  GroupJoin,
  GroupOperations,
  GroupOverview,
  GroupParticipant,
  JoinRequest,
  ParticipantResult,
} from '../../operations.ts';
import type { BoundedCache } from '../bounded-cache.ts';
import {
  accountOf,
  boundedId,
  boundedName,
  boundedSeconds,
  isLid,
  isOwnJid,
  type Me,
  phoneAmong,
} from '../convert/index.ts';
import type { RateLimits } from '../health/rate-limits.ts';
import { queryNetwork } from '../link/queries.ts';
import { ask as askNetwork, type SessionContext } from '../session-context.ts';
import { setPicture } from './contacts.ts';

export function createGroupOperations(
  context: SessionContext,
  cache: GroupCache,
  limits: Pick<RateLimits, 'guard'>,
): GroupOperations {
  /** All of these queries count towards the same rate limit of the network. */
  const ask = <T>(work: (sock: WASocket) => Promise<T>): Promise<T> =>
    askNetwork(context, (sock) => limits.guard('groups', () => work(sock)));

  /** The network's notification of the change may arrive after its answer. */
  const change = <T>(group: Jid, work: (sock: WASocket) => Promise<T>): Promise<T> =>
    ask(async (sock) => {
      const answer = await work(sock);
      cache.drop(group);
      return answer;
    });

  return {
    list: () =>
      ask(async (sock) => {
        const groups = await sock.groupFetchAllParticipating();
        return Object.values(groups).map(({ id, subject }) => ({
          jid: id,
          name: boundedName(subject ?? ''),
        }));
      }),
    listDetailed: (withMembers) =>
      ask(async (sock) =>
        Object.values(await sock.groupFetchAllParticipating()).map((group) => toOverview(group, withMembers)),
      ),
    create: (name, participants) =>
      ask(async (sock) => {
        const { id } = await sock.groupCreate(name, [...participants]);
        // The answer repeats the requested people; a new query shows who was added.
        return toGroup(await cache.get(sock, id));
      }),
    detail: (group) => ask(async (sock) => toGroup(await cache.get(sock, group))),
    changeParticipants: (group, participants, action) =>
      change(group, async (sock) => {
        const answer = await changeGroup(sock, group, peopleNode(action, participants));
        return participants.map((jid) => toResult(jid, getBinaryNodeChild(answer, action)));
      }),
    rename: (group, name) => change(group, (sock) => sock.groupUpdateSubject(group, name)),
    describe: (group, description) =>
      change(group, (sock) => sock.groupUpdateDescription(group, description || undefined)),
    setPhoto: (group, image) => ask((sock) => setPicture(sock, context.codecs, group, image)),
    inviteCode: (group) => ask(async (sock) => required(await sock.groupInviteCode(group))),
    resetInviteCode: (group) => ask(async (sock) => required(await sock.groupRevokeInvite(group))),
    join: (code) => ask((sock) => join(sock, code)).catch(asUnknownInvite),
    joinRequests: (group) => ask((sock) => listJoinRequests(sock, group)),
    answerJoinRequests: (group, people, action) =>
      change(group, (sock) => answerJoinRequests(sock, group, people, action)),
    changeSettings: (group, settings) =>
      ask(async (sock) => {
        await changeSettings(sock, group, settings);
        cache.drop(group);
        return settingsOf(await cache.get(sock, group));
      }),
    leave: (group) => change(group, (sock) => sock.groupLeave(group)),
  };
}

async function changeSettings(
  sock: WASocket,
  group: Jid,
  { announce, locked, joinApproval, membersAdd, ephemeralSeconds }: GroupSettings,
): Promise<void> {
  if (announce !== undefined)
    await sock.groupSettingUpdate(group, announce ? 'announcement' : 'not_announcement');
  if (locked !== undefined) await sock.groupSettingUpdate(group, locked ? 'locked' : 'unlocked');
  if (joinApproval !== undefined) await sock.groupJoinApprovalMode(group, joinApproval ? 'on' : 'off');
  if (membersAdd !== undefined) {
    await sock.groupMemberAddMode(group, membersAdd ? 'all_member_add' : 'admin_add');
  }
  if (ephemeralSeconds !== undefined) await sock.groupToggleEphemeral(group, ephemeralSeconds);
}

function settingsOf(group: GroupMetadata): Required<GroupSettings> {
  return {
    announce: group.announce === true,
    locked: group.restrict === true,
    joinApproval: group.joinApprovalMode === true,
    membersAdd: group.memberAddMode === true,
    ephemeralSeconds: boundedSeconds(group.ephemeralDuration ?? 0),
  };
}

/** Reads both answers to an invite; the library's own function drops the one of a group with approval. */
async function join(sock: WASocket, code: string): Promise<GroupJoin> {
  const answer = await queryNetwork(sock, { type: 'set', xmlns: 'w:g2', to: '@g.us' }, [
    { tag: 'invite', attrs: { code } },
  ]);
  const joined = getBinaryNodeChild(answer, 'group')?.attrs.jid;
  const requested = getBinaryNodeChild(answer, 'membership_approval_request')?.attrs.jid;
  return { group: required(joined ?? requested), isPending: !joined };
}

/** More than the maximum size of a group. */
const MOST_REQUESTS = 2_048;

async function listJoinRequests(sock: WASocket, group: Jid): Promise<readonly JoinRequest[]> {
  const wanted = { tag: 'membership_approval_requests', attrs: {} };
  const answer = await queryNetwork(sock, { type: 'get', xmlns: 'w:g2', to: group }, [wanted]);
  return getBinaryNodeChildren(getBinaryNodeChild(answer, wanted.tag), 'membership_approval_request')
    .slice(0, MOST_REQUESTS)
    .flatMap(({ attrs }) => {
      const person = personOf(attrs.jid, attrs.phone_number);
      const requestedAt = boundedSeconds(attrs.request_time);
      return person.jid ? [{ ...person, requestedAt, method: boundedId(attrs.request_method ?? '') }] : [];
    });
}

/** Names people by the addresses of their requests: the network knows them by no other. */
async function answerJoinRequests(
  sock: WASocket,
  group: Jid,
  people: readonly Jid[],
  action: 'approve' | 'reject',
): Promise<readonly ParticipantResult[]> {
  const waiting = await listJoinRequests(sock, group);
  const asked = people.map((jid) => ({
    jid,
    request: waiting.find((request) => [request.jid, request.phoneJid].includes(jid)),
  }));
  const addresses = asked.flatMap(({ request }) => request?.jid ?? []);
  if (addresses.length === 0) return asked.map(({ jid }) => noRequest(jid));
  const order = { tag: 'membership_requests_action', attrs: {}, content: [peopleNode(action, addresses)] };
  const answer = getBinaryNodeChild(await changeGroup(sock, group, order), order.tag);
  const results = getBinaryNodeChild(answer, action);
  return asked.map(({ jid, request }) =>
    request ? { ...toResult(request.jid, results), jid } : noRequest(jid),
  );
}

const noRequest = (jid: Jid): ParticipantResult => ({
  jid,
  ok: false,
  error: 'The person has not asked to join the group.',
});

const changeGroup = (sock: WASocket, group: Jid, order: BinaryNode): Promise<BinaryNode> =>
  queryNetwork(sock, { type: 'set', xmlns: 'w:g2', to: group }, [order]);

const peopleNode = (tag: string, people: readonly Jid[]): BinaryNode => ({
  tag,
  attrs: {},
  content: people.map((jid) => ({ tag: 'participant', attrs: { jid } })),
});

/** The network finds a code that never was an invite not acceptable. */
const NOT_ACCEPTABLE = 406;

function asUnknownInvite(error: unknown): never {
  if (error instanceof NetworkError && error.code === NOT_ACCEPTABLE) throw unknownInvite(error);
  throw error;
}

const unknownInvite = (cause: unknown): NetworkError =>
  new NetworkError('not_found', 'The network does not know this invite.', { cause });

function toOverview(group: GroupMetadata, withMembers: boolean): GroupOverview {
  const { participants, ...head } = toGroup(group);
  return { ...head, size: participants.length, ...(withMembers && { participants }) };
}

function toGroup(group: GroupMetadata): Group {
  const owner = accountOf(group.owner);
  return {
    jid: group.id,
    name: boundedName(group.subject ?? ''),
    description: group.desc ?? '',
    ...(owner ? { owner } : {}),
    createdAt: group.creation ?? 0,
    announce: group.announce === true,
    locked: group.restrict === true,
    participants: group.participants.map(toParticipant),
  };
}

/** Whether this number is an admin of the group. */
export function isAdmin({ participants }: GroupMetadata, me: Me): boolean {
  return participants.some(
    ({ id, phoneNumber, admin }) => Boolean(admin) && (isOwnJid(id, me) || isOwnJid(phoneNumber, me)),
  );
}

function personOf(address: string | undefined, number: string | undefined) {
  const jid = accountOf(address);
  const phoneJid = isLid(jid) ? phoneAmong(number) : undefined;
  return { jid, ...(phoneJid ? { phoneJid } : {}) };
}

function toParticipant({ id, phoneNumber, admin }: GroupMetadata['participants'][number]): GroupParticipant {
  return {
    ...personOf(id, phoneNumber),
    isAdmin: admin === 'admin' || admin === 'superadmin',
    isSuperAdmin: admin === 'superadmin',
  };
}

const REFUSALS: Readonly<Record<string, string>> = {
  '401': 'The participant has blocked this number.',
  '403': 'The network does not allow this for the participant.',
  '404': 'The participant is not in the group, or not on the network.',
  '406': 'The network does not allow this for the participant.',
  '408': 'The participant has left the group not long ago.',
  '409': 'The participant is in the group already.',
};

/** The network's result for one person, in whatever order and by whichever address it answers. */
function toResult(jid: Jid, results: BinaryNode | undefined): ParticipantResult {
  const found = getBinaryNodeChildren(results, 'participant').find(({ attrs }) =>
    [attrs.jid, attrs.phone_number, attrs.lid].some((address) => accountOf(address) === jid),
  );
  if (found && !found.attrs.error) return { jid, ok: true };
  return { jid, ok: false, error: REFUSALS[found?.attrs.error ?? ''] ?? 'The network refused the change.' };
}

function required(value: string | undefined): string {
  if (!value) throw new NetworkError('not_found', 'The network does not know what was asked for.');
  return value;
}

/**
 * Groups known to one session. Every change comes as a notification and clears its group, so the next use
 * queries again; without the cache every send to a group would query. Cleared with the connection, because
 * changes may be missed while it is down.
 */
export interface GroupCache {
  attach(sock: WASocket): void;
  get(sock: WASocket, group: Jid): Promise<GroupMetadata>;
  drop(group: Jid): void;
}

export function createGroupCache(
  linkId: string,
  cache: BoundedCache<GroupMetadata>,
  limits: Pick<RateLimits, 'guard'>,
): GroupCache {
  const own = (group: Jid): string => `${linkId}\n${group}`;
  let changes = 0;

  function drop(group: Jid): void {
    changes += 1;
    cache.delete(own(group));
  }

  return {
    attach(sock) {
      changes += 1;
      cache.deleteAll(own(''));
      sock.ws.prependListener('CB:notification,type:w:gp2', ({ attrs }: BinaryNode) =>
        drop(attrs.from ?? ''),
      );
    },
    async get(sock, group) {
      const known = cache.get(own(group));
      if (known) return known;
      const changesBefore = changes;
      const metadata = await limits.guard('groups', () => sock.groupMetadata(group));
      if (changes === changesBefore) cache.set(own(group), metadata);
      return metadata;
    },
    drop,
  };
}
