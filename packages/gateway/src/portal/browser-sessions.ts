import { createHmac } from 'node:crypto';
import { BROWSER_SESSIONS_LISTED_MAX, type BrowserSessionList, VISIT_MINUTES } from '@parley/contract';
import {
  browserSessionsOf,
  type Directory,
  deleteBrowserSession,
  deleteOldBrowserSessions,
  findBrowserSession,
  insertBrowserSession,
  type Member,
  type MembersContext,
  markSeen,
  memberOfSession,
} from '#accounts';
import type { BrowserGate } from '#http';
import { beginningOf, type Clock, fault, type Random } from '#kernel';
import type { BrowserSessionRow, Store } from '#store';

/** The browsers that somebody has signed in with, from sign-in to sign-out, however many processes serve them. */
export interface BrowserSessions {
  /** Resolves to the token that only the browser keeps. */
  beginOfMember(member: Visiting, browser?: Browser): Promise<string>;
  beginOfOperator(): Promise<string>;
  /** Of the operator, who looks at an account; with the moment in which it is over. */
  beginVisit(visit: { accountId: string; operator: string; address: string }): Promise<string>;
  /** Whom this token was given to; undefined when it is nobody's, or has expired. */
  findMember(token: string): Promise<FoundSession | undefined>;
  isOperator(token: string): Promise<boolean>;
  end(kind: VisitorKind, token: string): Promise<void>;
  /** All of a member that are not over, seen last first. Their times are told as the gateway counts, whose `now` this is. */
  listOf(member: Visiting, currentToken: string, now: number): Promise<BrowserSessionList>;
  /** A fault when the member has no such one. */
  endOne(member: Visiting, sessionId: string): Promise<void>;
}

interface FoundSession {
  readonly accountId: string;
  readonly memberId: string | null;
  readonly visit?: { readonly operator: string; readonly until: number };
}

type Visiting = Pick<Member, 'id' | 'accountId' | 'isFirst'>;

/** What is known of a browser, for its owner to recognise it by. */
interface Browser {
  readonly name: string | undefined;
  readonly address: string;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** A session ends when nothing was asked for so long, and at the latest so long after the sign-in. */
export const LIFETIMES: Record<VisitorKind, { readonly idleMs: number; readonly wholeMs: number }> = {
  owner: { idleMs: 12 * HOUR_MS, wholeMs: 7 * 24 * HOUR_MS },
  operator: { idleMs: 30 * MINUTE_MS, wholeMs: 12 * HOUR_MS },
};

/** The operator looks for as long, and no longer. */
export const VISIT_MS = VISIT_MINUTES * MINUTE_MS;

const TOKEN_BYTES = 32;
const BROWSER_NAME_MAX = 300;
/** That somebody is still there is written down once a minute, not with every request. */
const SEEN_TO_MS = MINUTE_MS;

export function createBrowserSessions({
  store,
  clock,
  random,
  operatorToken,
}: {
  store: Store;
  clock: Pick<Clock, 'now'>;
  random: Pick<Random, 'bytes'>;
  operatorToken: string | undefined;
}): BrowserSessions {
  /**
   * The operator's depends on the operator token: who changes that signs every operator out. That of a member who is not the first owner
   * means nothing to a process of the last release, which would take everybody for the owner.
   */
  const keys = {
    operator: `operator ${operatorToken}`,
    owner: 'owner',
    member: 'member',
    visit: `visit ${operatorToken}`,
  } as const;
  const digest = (key: keyof typeof keys, token: string): Buffer =>
    createHmac('sha256', keys[key]).update(token).digest();
  const digestsOf = (kind: VisitorKind, token: string): Buffer[] =>
    kind === 'operator'
      ? [digest('operator', token)]
      : (['owner', 'member', 'visit'] as const).map((key) => digest(key, token));

  async function begin(
    key: keyof typeof keys,
    visitor: Pick<BrowserSessionRow, 'account_id' | 'member_id' | 'browser' | 'address'> &
      Partial<Pick<BrowserSessionRow, 'operator_name'>>,
  ): Promise<string> {
    const token = Buffer.from(random.bytes(TOKEN_BYTES)).toString('base64url');
    const now = clock.now();
    await store.transaction(async (trx) => {
      const { idleMs, wholeMs } = LIFETIMES.owner;
      await deleteOldBrowserSessions(trx, { createdBefore: now - wholeMs, seenBefore: now - idleMs });
      const tokenHash = digest(key, token);
      const times = { created_at: now, seen_at: now };
      await insertBrowserSession(trx, { operator_name: null, ...visitor, token_hash: tokenHash, ...times });
    });
    return token;
  }

  async function find(kind: VisitorKind, token: string): Promise<BrowserSessionRow | undefined> {
    const session = await findBrowserSession(store, digestsOf(kind, token));
    if (!session) return undefined;
    const now = clock.now();
    if (isOver(kind, session, now)) return undefined;
    if (now - session.seen_at >= SEEN_TO_MS)
      await store.transaction((trx) => markSeen(trx, session.token_hash, now));
    return session;
  }

  async function liveSessionsOf(member: Visiting): Promise<BrowserSessionRow[]> {
    const now = clock.now();
    const rows = await browserSessionsOf(store, member);
    return rows.filter((row) => !isOver('owner', row, now));
  }

  return {
    beginOfMember: ({ id, accountId, isFirst }, browser) =>
      begin(isFirst ? 'owner' : 'member', {
        account_id: accountId,
        member_id: id,
        browser: browser?.name?.slice(0, BROWSER_NAME_MAX) ?? null,
        address: browser?.address ?? null,
      }),
    beginOfOperator: () =>
      begin('operator', { account_id: null, member_id: null, browser: null, address: null }),
    beginVisit: ({ accountId, operator, address }) =>
      begin('visit', {
        account_id: accountId,
        member_id: null,
        browser: `Operator: ${operator}`,
        address,
        operator_name: operator,
      }),
    async findMember(token) {
      const session = await find('owner', token);
      if (!session || session.account_id === null) return undefined;
      const { account_id: accountId, member_id: memberId, operator_name: operator } = session;
      if (operator === null) return { accountId, memberId };
      return { accountId, memberId, visit: { operator, until: session.created_at + VISIT_MS } };
    },
    isOperator: async (token) => operatorToken !== undefined && (await find('operator', token)) !== undefined,
    async listOf(member, currentToken, now) {
      const ahead = now - clock.now();
      const current = digestsOf('owner', currentToken);
      const { items, hasMore } = beginningOf(await liveSessionsOf(member), BROWSER_SESSIONS_LISTED_MAX);
      const sessions = items.map((row) => ({
        session_id: nameOf(row),
        browser: row.browser,
        address: row.address,
        signed_in_at: new Date(row.created_at + ahead).toISOString(),
        seen_at: new Date(row.seen_at + ahead).toISOString(),
        current: current.some((digest) => digest.equals(row.token_hash)),
      }));
      return { sessions, has_more: hasMore };
    },
    async endOne(member, sessionId) {
      const row = (await liveSessionsOf(member)).find((each) => nameOf(each) === sessionId);
      if (!row) throw fault('browser_session_not_found');
      await store.transaction((trx) => deleteBrowserSession(trx, [row.token_hash]));
    },
    end: (kind, token) => store.transaction((trx) => deleteBrowserSession(trx, digestsOf(kind, token))),
  };
}

function isOver(kind: VisitorKind, session: BrowserSessionRow, now: number): boolean {
  const { idleMs, wholeMs } = LIFETIMES[kind];
  const longestMs = session.operator_name === null ? wholeMs : VISIT_MS;
  return now - session.created_at >= longestMs || now - session.seen_at >= idleMs;
}

/** A name for a session that opens nothing: a part of the hash of its token. */
function nameOf({ token_hash }: BrowserSessionRow): string {
  return Buffer.from(token_hash).toString('hex', 0, 12);
}

/** Who can be signed in, each with a cookie of their own: the same browser may hold both. */
export type VisitorKind = 'owner' | 'operator';

export interface Cookies {
  /** The token in a Cookie header; undefined when there is none. */
  read(header: string | undefined, kind: VisitorKind): string | undefined;
  /** A Set-Cookie header. */
  give(kind: VisitorKind, token: string): string;
  takeBack(kind: VisitorKind): string;
}

/** Scripts cannot read them and other sites' requests do not carry them; in production they travel over https only. */
export function createCookies({ secure }: { secure: boolean }): Cookies {
  // With this prefix a browser takes the cookie only from the very host that it goes back to.
  const prefix = secure ? '__Host-' : '';
  const attributes = `Path=/; HttpOnly; SameSite=Strict${secure ? '; Secure' : ''}`;
  const nameOf = (kind: VisitorKind): string => `${prefix}parley_${kind}`;

  return {
    read: (header, kind) => readCookie(header, nameOf(kind)),
    give: (kind, token) =>
      `${nameOf(kind)}=${token}; Max-Age=${LIFETIMES[kind].wholeMs / 1_000}; ${attributes}`,
    takeBack: (kind) => `${nameOf(kind)}=; Max-Age=0; ${attributes}`,
  };
}

export function readCookie(header: string | undefined, name: string): string | undefined {
  const start = `${name}=`;
  const found = header
    ?.split(';')
    .map((part) => part.trim())
    .find((part) => part.startsWith(start));
  return found?.slice(start.length) || undefined;
}

/** Tells the HTTP server whose browser it is. */
export function createBrowserGate({
  cookies,
  browserSessions,
  directory,
  members,
}: {
  cookies: Cookies;
  browserSessions: BrowserSessions;
  directory: Pick<Directory, 'ownerOf'>;
  members: MembersContext;
}): BrowserGate {
  return {
    async owner(header) {
      const token = cookies.read(header, 'owner');
      const session = token === undefined ? undefined : await browserSessions.findMember(token);
      const member = session && (await memberOfSession(members, session));
      const caller = member && (await directory.ownerOf(member.accountId));
      if (!caller) return undefined;
      if (session.visit) return { ...caller, memberId: member.id, role: 'read_only', visit: session.visit };
      const blocked = caller.blocked ?? (member.awaitsVerification ? 'email_not_verified' : null);
      return { ...caller, blocked, memberId: member.id, role: member.role };
    },
    async isOperator(header) {
      const token = cookies.read(header, 'operator');
      return token !== undefined && browserSessions.isOperator(token);
    },
  };
}
