import type { RateKind } from '../../world/index.ts';
import { Refusal, refusalOf } from '../errors.ts';
import type { Fields } from '../json-fields.ts';
import type { Network, Session, StanzaHandler } from '../network.ts';
import { child, children, type Node, node } from '../transport/nodes.ts';

/**
 * Answers a question or carries out an order; the nodes go into the result. Throws what `refusalOf` understands. What would end the
 * connection is done `afterwards`, when the answer has left.
 */
export type IqHandler = (
  session: Session,
  request: Node,
  afterwards: (work: () => void) => void,
) => readonly Node[] | Promise<readonly Node[]>;

/** One stored query: where its answer lies in the data, and how it comes about. */
export interface MexQuery {
  readonly path: string;
  answer(session: Session, variables: Fields): unknown;
}

/** What each kind of question is on the wire. */
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

/** Every question gets an answer, be it a refusal: a client waits a minute for it. */
export function createIqHandler(
  { world, clock, log }: Pick<Network, 'world' | 'clock' | 'log'>,
  byNamespace: Readonly<Record<string, IqHandler>>,
): StanzaHandler {
  const send = (session: Session, request: Node, answer: Node): void => {
    const fault = isWaitedFor(request) && world.faults.takeForAnswer(session.device.sessionId);
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
 * Whether somebody waits for this very answer. What a client asks to keep its line, or on the way to a message, must not use up a fault
 * that was ordered for the message itself; so of questions about people only those count that look at what they show of themselves.
 */
function isWaitedFor(request: Node): boolean {
  const { xmlns = '' } = request.attrs;
  if (xmlns !== 'usync') return !HOUSEKEEPING.has(xmlns);
  return children(child(child(request, 'usync'), 'query')).some(({ tag }) => ABOUT_PEOPLE.has(tag));
}

/** For orders that need no more than a yes. */
export const agreed: IqHandler = () => [];
