import {
  type BinaryNode,
  getBinaryNodeChild,
  getBinaryNodeChildren,
  proto,
  S_WHATSAPP_NET,
  type WASocket,
} from 'baileys';
import type { Jid } from '../../content.ts';
import { NetworkError } from '../../errors.ts';
import { boundedName, isPlausibleUsername, lidAmong, phoneAmong } from '../convert/index.ts';
import { codeOf, refusal, timedOut } from '../errors.ts';

/**
 * Sends a query to the network. The library resolves with undefined after a timeout; taken for an empty answer,
 * it would mean that a number does not exist.
 */
export async function queryNetwork(
  sock: Pick<WASocket, 'query'>,
  attrs: {
    readonly type: 'get' | 'set';
    readonly xmlns: string;
    readonly to?: string;
    readonly target?: string;
  },
  content?: BinaryNode[],
): Promise<BinaryNode> {
  const question = { tag: 'iq', attrs: { to: S_WHATSAPP_NET, ...attrs }, ...(content && { content }) };
  const answer: BinaryNode | undefined = await sock.query(question);
  if (!answer) throw timedOut();
  return answer;
}

/** One person in the answer of a user query. */
export interface FoundUser {
  readonly jid: string;
  readonly node: BinaryNode;
}

/** Parts of a user query, by what they ask for. */
export const CONTACT: BinaryNode = { tag: 'contact', attrs: {} };
export const ABOUT: BinaryNode = { tag: 'status', attrs: {} };
export const PICTURE: BinaryNode = { tag: 'picture', attrs: {} };
export const LID: BinaryNode = { tag: 'lid', attrs: {} };
export const USERNAME: BinaryNode = { tag: 'username', attrs: {} };
export const DEVICES: BinaryNode = { tag: 'devices', attrs: { version: '2' } };
export const VERIFIED_NAME: BinaryNode = {
  tag: 'business',
  attrs: {},
  content: [{ tag: 'verified_name', attrs: {} }],
};

/** Queries people. Raw stanzas, because the library's own function drops usernames and the requested number. */
export async function queryUsers(
  sock: WASocket,
  wanted: readonly BinaryNode[],
  users: readonly BinaryNode[],
): Promise<readonly FoundUser[]> {
  const sid = sock.generateMessageTag();
  const answer = await queryNetwork(sock, { type: 'get', xmlns: 'usync' }, [
    {
      tag: 'usync',
      attrs: { sid, mode: 'query', last: 'true', index: '0', context: 'interactive' },
      content: [
        { tag: 'query', attrs: {}, content: [...wanted] },
        { tag: 'list', attrs: {}, content: [...users] },
      ],
    },
  ]);
  const list = getBinaryNodeChild(getBinaryNodeChild(answer, 'usync'), 'list');
  if (!list) throw timedOut();
  return getBinaryNodeChildren(list, 'user').map((node) => ({ jid: node.attrs.jid ?? '', node }));
}

/** The hidden address, where the network sends it: beside the number, or as the address of the answer. */
export function lidOf({ jid, node }: FoundUser): Jid | undefined {
  return lidAmong(getBinaryNodeChild(node, 'lid')?.attrs.val, jid);
}

/** The number, where the network sends it: as the address of the answer, or beside the hidden one. */
export function phoneOf({ jid, node }: FoundUser): Jid | undefined {
  return phoneAmong(jid, node.attrs.pn_jid);
}

/** Without `@`. */
export function usernameIn({ node }: FoundUser): string | undefined {
  const username = textOf(getBinaryNodeChild(node, 'username'));
  return username && isPlausibleUsername(username) ? username : undefined;
}

/** Undefined when the network knows no such person. */
export function devicesOf({ node }: FoundUser): readonly BinaryNode[] | undefined {
  const list = getBinaryNodeChild(getBinaryNodeChild(node, 'devices'), 'device-list');
  return list && getBinaryNodeChildren(list, 'device');
}

export function byNumber(digits: string): BinaryNode {
  return { tag: 'user', attrs: {}, content: [{ tag: 'contact', attrs: {}, content: `+${digits}` }] };
}

/** Queried one at a time: it is undocumented whether an answer repeats the username. */
export function byUsername(username: string, key: string | undefined): BinaryNode {
  const attrs = { username, ...(key === undefined ? {} : { pin: key }) };
  return { tag: 'user', attrs: {}, content: [{ tag: 'contact', attrs }] };
}

export function byJid(jid: string): BinaryNode {
  return { tag: 'user', attrs: { jid } };
}

export function isRegisteredUser({ node }: FoundUser): boolean {
  return getBinaryNodeChild(node, 'contact')?.attrs.type === 'in';
}

/** The number as requested, where the network repeats it; the account's own may differ. */
export function askedNumber({ node }: FoundUser): string | undefined {
  return textOf(getBinaryNodeChild(node, 'contact'))?.replace(/\D/g, '') || undefined;
}

export function verifiedNameOf({ node }: FoundUser): string | undefined {
  const certificate = getBinaryNodeChild(getBinaryNodeChild(node, 'business'), 'verified_name')?.content;
  if (!(certificate instanceof Uint8Array)) return undefined;
  const { details } = proto.VerifiedNameCertificate.decode(certificate);
  const name = details && proto.VerifiedNameCertificate.Details.decode(details).verifiedName;
  return name ? boundedName(name) : undefined;
}

export function textOf(node: BinaryNode | undefined): string | undefined {
  const content = node?.content;
  if (typeof content === 'string') return content;
  return content instanceof Uint8Array ? Buffer.from(content).toString() : undefined;
}

/** Stored queries of the network about channels, by their ids. */
export const CHANNEL_QUERIES = {
  create: { id: '25149874324715067', path: 'xwa2_newsletter_create' },
  detail: { id: '27456920720571478', path: 'xwa2_newsletter' },
  followed: { id: '25399611239711790', path: 'xwa2_newsletter_subscribed' },
  follow: { id: '24404358912487870', path: 'xwa2_newsletter_join_v2' },
  unfollow: { id: '9767147403369991', path: 'xwa2_newsletter_leave_v2' },
  setting: { id: '31938993655691868', path: 'xwa2_newsletter_update_user_setting' },
} as const;

/** Stored changes of the own profile. */
export const PROFILE_QUERIES = {
  about: { id: '9152604461510864', path: 'xwa2_update_text_status' },
} as const;

/** Stored queries about the health of the number. */
export const HEALTH_QUERIES = {
  lock: { id: '23983697327930364', path: 'xwa2_fetch_account_reachout_timelock' },
  cap: { id: '27910975521856601', path: 'xwa2_message_capping_info' },
} as const;

const SERVER_FAILED = 500;
/** Refusals of a stored query as such: the network has dropped its id, or never had it. */
const UNKNOWN_QUERY: readonly unknown[] = [404, 501];
/** Event of a socket whose network does not know a stored query; its value is the name of the query. */
export const QUERY_REFUSED = 'stored-query-refused';

/** Runs a stored query. Its refusals are inside the answer, with the code that other answers have outside. */
export async function runQuery(
  sock: WASocket,
  { id, path }: { readonly id: string; readonly path: string },
  variables: object,
): Promise<unknown> {
  const content = Buffer.from(JSON.stringify({ variables }));
  const answer = await queryNetwork(sock, { type: 'get', xmlns: 'w:mex' }, [
    { tag: 'query', attrs: { query_id: id }, content },
  ]).catch((error: unknown) => {
    const code = codeOf(error);
    if (!UNKNOWN_QUERY.includes(code)) throw error;
    sock.ws.emit(QUERY_REFUSED, path);
    throw new NetworkError('transient', 'The network does not know this request any more.', {
      ...(code === undefined ? {} : { code }),
      cause: error,
    });
  });
  const { data, errors } = JSON.parse(textOf(getBinaryNodeChild(answer, 'result')) ?? '{}');
  if (Array.isArray(errors) && errors.length > 0)
    throw refusal(Number(errors[0]?.extensions?.error_code) || SERVER_FAILED);
  return data?.[path];
}

/**
 * The library's own logout closes the connection without waiting for the answer, and would report an unsent
 * request as done.
 */
export async function removeDevice(sock: WASocket, jid: string): Promise<void> {
  await queryNetwork(sock, { type: 'set', xmlns: 'md' }, [
    { tag: 'remove-companion-device', attrs: { jid, reason: 'user_initiated' } },
  ]);
}

export async function ping(sock: WASocket): Promise<void> {
  await queryNetwork(sock, { type: 'get', xmlns: 'w:p' }, [{ tag: 'ping', attrs: {} }]);
}
