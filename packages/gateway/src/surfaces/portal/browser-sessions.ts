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
import { apiError, beginningOf, type Clock, HOUR_MS, type Random } from '#kernel';
import type { BrowserGate } from '#platform/http';
import type { BrowserSessionRow, Store } from '#platform/store';

/** Signed-in browsers, from sign-in to sign-out, shared by all processes. */
export interface BrowserSessions {
  /** Resolves to the token, which only the browser keeps. */
  beginOfMember(member: Visiting, browser?: Browser): Promise<string>;
  beginOfOperator(): Promise<string>;
  /** Session of the operator in an account; it ends after `VISIT_MS`. */
  beginVisit(visit: { accountId: string; operator: string; address: string }): Promise<string>;
  /** Visitor of this token; undefined when the token is unknown or has expired. */
  findMember(token: string): Promise<FoundSession | undefined>;
  isOperator(token: string): Promise<boolean>;
  end(kind: VisitorKind, token: string): Promise<void>;
  /** Current sessions of a member, most recently seen first. Times are converted to the gateway's clock, whose `now` is passed. */
  listOf(member: Visiting, currentToken: string, now: number): Promise<BrowserSessionList>;
  /** Rejects when the member has no such session. */
  endOne(member: Visiting, sessionId: string): Promise<void>;
}

interface FoundSession {
  readonly accountId: string;
  readonly memberId: string | null;
  readonly visit?: { readonly operator: string; readonly until: number };
}

type Visiting = Pick<Member, 'id' | 'accountId' | 'isFirst'>;

/** Client data by which the owner recognises a browser. */
interface Browser {
  readonly name: string | undefined;
  readonly address: string;
}

const MINUTE_MS = 60_000;

/** Idle timeout and maximum lifetime of a session. */
export const LIFETIMES: Record<VisitorKind, { readonly idleMs: number; readonly wholeMs: number }> = {
  owner: { idleMs: 12 * HOUR_MS, wholeMs: 7 * 24 * HOUR_MS },
  operator: { idleMs: 30 * MINUTE_MS, wholeMs: 12 * HOUR_MS },
};

/** Lifetime of the operator's session in an account. */
export const VISIT_MS = VISIT_MINUTES * MINUTE_MS;

const TOKEN_BYTES = 32;
const BROWSER_NAME_MAX = 300;
/** Interval at which the last activity is stored, instead of with every request. */
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
   * The operator's digests depend on the operator token, so a new token signs every operator out. Members other than the first owner have a
   * key of their own: a process of the previous release would take them for the owner.
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
      if (!row) throw apiError('browser_session_not_found');
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

/** Public id of a session: a part of its token's hash, which gives no access. */
function nameOf({ token_hash }: BrowserSessionRow): string {
  return Buffer.from(token_hash).toString('hex', 0, 12);
}

/** Kinds of visitors, each with its own cookie: one browser may hold both. */
export type VisitorKind = 'owner' | 'operator';

export interface Cookies {
  /** Token from a Cookie header; undefined when there is none. */
  read(header: string | undefined, kind: VisitorKind): string | undefined;
  /** Returns a Set-Cookie header. */
  give(kind: VisitorKind, token: string): string;
  takeBack(kind: VisitorKind): string;
}

/** Cookies that scripts cannot read and other sites' requests do not carry; in production they need HTTPS. */
export function createCookies({ secure }: { secure: boolean }): Cookies {
  // With this prefix a browser accepts the cookie only from the host that it returns it to.
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

/** Identifies the browser of a request for the HTTP server. */
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
