import { WorldError } from '../../world/index.ts';
import type { Network, StanzaHandler } from '../network.ts';
import { children } from '../transport/nodes.ts';

/** Being there, and wanting to know who is. Nothing here is answered, so what makes no sense is passed over. */
export function createPresenceHandler({ world }: Network): StanzaHandler {
  return ({ device }, { attrs: { type = 'available', to } }) =>
    unanswered(() => {
      if (type === 'subscribe' && to) world.presence.subscribe(device, to);
      else if (type === 'available' || type === 'unavailable') {
        world.presence.set(device, { online: type === 'available' });
      }
    });
}

export function createTypingHandler({ world }: Network): StanzaHandler {
  return ({ device }, stanza) =>
    unanswered(() => {
      const [state] = children(stanza);
      const { to } = stanza.attrs;
      if (!state || !to) return;
      const media = state.attrs.media === 'audio' ? 'audio' : 'text';
      world.presence.typing(device, to, { typing: state.tag === 'composing', media });
    });
}

function unanswered(act: () => void): void {
  try {
    act();
  } catch (error) {
    if (!(error instanceof WorldError)) throw error;
  }
}
