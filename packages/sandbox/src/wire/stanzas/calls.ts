import { refusalOf } from '../errors.ts';
import type { Network, StanzaHandler } from '../network.ts';
import { children, node } from '../transport/nodes.ts';

/** A client can reject a call or hang up. It waits for the answer to its stanza. */
export function createCallHandler({ world }: Network): StanzaHandler {
  return ({ device, send }, stanza) => {
    const { id, to } = stanza.attrs;
    const [order] = children(stanza);
    if (!id || !order) return;
    const callId = order.attrs['call-id'] ?? '';
    const answer = { class: 'call', id, from: to, type: order.tag };
    try {
      if (order.tag === 'reject') world.calls.reject(device, callId);
      else if (order.tag === 'terminate') world.calls.terminate(device, callId, order.attrs.reason);
      send(node('ack', answer));
    } catch (error) {
      const { code } = refusalOf(error);
      send(node('ack', { ...answer, error: code }));
    }
  };
}
