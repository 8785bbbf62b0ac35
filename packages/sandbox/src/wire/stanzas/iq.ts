import type { RateKind } from '../../world/index.ts';
import { Refusal, refusalOf } from '../errors.ts';
import type { Fields } from '../json-fields.ts';
import type { Network, Session, StanzaHandler } from '../network.ts';
import { child, children, type Node, node } from '../transport/nodes.ts';

/**
 * Answers a query or runs an order; returns the nodes of the result. Throws errors for `refusalOf`. Work that ends the connection
 * goes into `afterwards`, which runs when the answer has left.
 */
export type IqHandler = (
  session: Session,
  request: Node,
  afterwards: (work: () => void) => void,
) => readonly Node[] | Promise<readonly Node[]>;

/** One stored query: the path of its answer in the data, and its resolver. */
export interface MexQuery {
  readonly path: string;
  /** Names of all variables; undefined: any. */
  readonly variables?: readonly string[];
  answer(session: Session, variables: Fields): unknown;
}

/** Rate-limited kinds of queries by namespace. */
const RATE_KINDS: Readonly<Record<string, RateKind>> = {
  usync: 'users',
  'w:g2': 'groups',
  'w:profile:picture': 'pictures',
  encrypt: 'keys',
  'w:mex': 'queries',
  privacy: 'privacy',
  blocklist: 'blocklist',
  'w:m': 'media',
  'w:sync:app:state': 'app_state',
};

const RATE_OVERLIMIT = 'rate-overlimit';

/** Every query gets an answer, possibly a refusal: a client waits a minute for it. */
export function createIqHandler(
  { world, clock, log }: Pick<Network, 'world' | 'clock' | 'log'>,
  byNamespace: Readonly<Record<string, IqHandler>>,
): StanzaHandler {
  const send = (session: Session, request: Node, answer: Node): void => {
    const fault = isUserQuery(request) && world.faults.takeForAnswer(session.device.sessionId);
    if (fault) clock.after(fault.ms, () => session.send(answer));
    else session.send(answer);
  };

  const answerTo = async (...[session, request, afterwards]: Parameters<IqHandler>): Promise<Node> => {
    const { id, xmlns = '', to: from } = request.attrs;
    try {
      const handler = byNamespace[xmlns];
      if (!handler) throw new Refusal(501, 'feature-not-implemented');
      const kind = RATE_KINDS[xmlns];
      if (kind && world.standing.isLimited(session.device.phone, kind))
        throw new Refusal(429, RATE_OVERLIMIT);
      const content = await handler(session, request, afterwards);
      return node('iq', { id, from, type: 'result' }, content.length > 0 ? [...content] : undefined);
    } catch (error) {
      const { code, message } = refusalOf(error);
      log.debug({ xmlns, code }, 'query refused');
      return node('iq', { id, from, type: 'error' }, [node('error', { code, text: message })]);
    }
  };

  return async (session, request) => {
    const { id, type } = request.attrs;
    if (id === undefined || type === 'result' || type === 'error') return;
    let finish = (): void => {};
    const answer = await answerTo(session, request, (work) => {
      finish = work;
    });
    send(session, request, answer);
    finish();
  };
}

const HOUSEKEEPING: ReadonlySet<string> = new Set([
  'abt',
  'encrypt',
  'md',
  'passive',
  'privacy',
  'urn:xmpp:whatsapp:dirty',
  'w',
  'w:m',
  'w:p',
  'w:stats',
  'w:sync:app:state',
]);

const ABOUT_PEOPLE: ReadonlySet<string> = new Set(['disappearing_mode', 'picture', 'status']);

/**
 * Whether a caller waits for this answer. Queries that a client sends to keep its connection, or on the way to a message, must
 * not use up a fault armed for the message itself; so of queries about people only those for their public profile count.
 */
function isUserQuery(request: Node): boolean {
  const { xmlns = '' } = request.attrs;
  if (xmlns !== 'usync') return !HOUSEKEEPING.has(xmlns);
  return children(child(child(request, 'usync'), 'query')).some(({ tag }) => ABOUT_PEOPLE.has(tag));
}

/** For orders with an empty result. */
export const agreed: IqHandler = () => [];
