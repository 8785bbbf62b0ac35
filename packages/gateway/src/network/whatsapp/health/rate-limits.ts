import { type BinaryNode, getBinaryNodeChild, type WASocket } from 'baileys';
import { growingPause } from '#kernel';
import type { NumberHealthChange } from '../../port.ts';
import { isGroup } from '../convert/index.ts';
import { refusal } from '../errors.ts';
import type { SessionContext } from '../session-context.ts';

/**
 * The network answers `rate-overlimit`, per kind of query, to a client that queries too often, and more queries
 * make it worse. So a refused kind fails at once for a while, as a transient error, and for longer each time.
 */
export interface RateLimits {
  /** Listens on the socket, because the library makes many of the queries. */
  attach(sock: WASocket): void;
  /** Runs a query of this kind, unless the kind is paused. */
  guard<T>(kind: QuestionKind, question: () => Promise<T>): Promise<T>;
}

const KINDS = {
  usync: 'users',
  'w:g2': 'groups',
  'w:profile:picture': 'pictures',
  encrypt: 'keys',
  'w:mex': 'queries',
  privacy: 'privacy',
  blocklist: 'blocklist',
  'w:m': 'media',
  'w:sync:app:state': 'app_state',
} as const;

type QuestionKind = (typeof KINDS)[keyof typeof KINDS] | 'other';

const RATE_OVERLIMIT = 429;
const PAUSE = { firstMs: 10_000, longestMs: 600_000, jitter: 0.2 };

export function createRateLimits(
  { clock, random }: Pick<SessionContext, 'clock' | 'random'>,
  report: (news: NumberHealthChange) => void,
): RateLimits {
  /** Queries made here and not by the library, by their id. */
  const asked = new Map<string, QuestionKind>();
  const held = new Map<QuestionKind, { readonly until: number; readonly times: number }>();

  function onError({ attrs, content }: BinaryNode): void {
    const error = getBinaryNodeChild({ tag: 'iq', attrs, content }, 'error');
    if (Number(error?.attrs.code) !== RATE_OVERLIMIT) return;
    const what = asked.get(attrs.id ?? '') ?? (isGroup(attrs.from ?? '') ? 'groups' : 'other');
    const times = (held.get(what)?.times ?? 0) + 1;
    held.set(what, { until: clock.monotonic() + growingPause(PAUSE, times, random), times });
    report({ kind: 'rate_overlimit', what });
  }

  async function guard<T>(kind: QuestionKind, question: () => Promise<T>): Promise<T> {
    const before = held.get(kind);
    if (before && before.until > clock.monotonic()) throw refusal(RATE_OVERLIMIT);
    const answer = await question();
    if (held.get(kind) === before) held.delete(kind);
    return answer;
  }

  return {
    guard,
    attach(sock) {
      sock.ws.on('CB:iq,type:error', onError);
      const { query } = sock;
      sock.query = async (node, timeoutMs) => {
        const kind = kindOf(node);
        const id = node.attrs.id ?? sock.generateMessageTag();
        asked.set(id, kind);
        try {
          return await guard(kind, () => query({ ...node, attrs: { ...node.attrs, id } }, timeoutMs));
        } finally {
          asked.delete(id);
        }
      };
    },
  };
}

function kindOf({ attrs }: BinaryNode): QuestionKind {
  const kind = Object.entries(KINDS).find(([xmlns]) => xmlns === attrs.xmlns);
  return kind?.[1] ?? 'other';
}
