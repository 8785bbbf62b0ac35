import { Refusal, refusalOf } from '../errors.ts';
import type { StanzaHandler } from '../login/session.ts';
import type { Session } from '../network.ts';
import type { Log } from '../ports.ts';
import { type Node, node } from '../transport/nodes.ts';

/** Answers a question or carries out an order; the nodes go into the result. Throws what `refusalOf` understands. */
export type IqHandler = (session: Session, request: Node) => readonly Node[] | Promise<readonly Node[]>;

/** Every question gets an answer, be it a refusal: a client waits a minute for it. */
export function createIqHandler(byNamespace: Readonly<Record<string, IqHandler>>, log: Log): StanzaHandler {
  return async (session, request) => {
    const { id, xmlns = '', to, type } = request.attrs;
    if (id === undefined || type === 'result' || type === 'error') return;
    const from = to;
    try {
      const handler = byNamespace[xmlns];
      if (!handler) throw new Refusal(501, 'feature-not-implemented');
      const content = await handler(session, request);
      session.send(node('iq', { id, from, type: 'result' }, content.length > 0 ? [...content] : undefined));
    } catch (error) {
      const { code, message } = refusalOf(error);
      log.debug({ xmlns, code }, 'query refused');
      session.send(node('iq', { id, from, type: 'error' }, [node('error', { code, text: message })]));
    }
  };
}

/** For orders that need no more than a yes. */
export const agreed: IqHandler = () => [];
