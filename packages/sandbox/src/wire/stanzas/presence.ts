import { WorldError } from '../../world/index.ts';
import type { Network, StanzaHandler } from '../network.ts';
import { children } from '../transport/nodes.ts';

/** Availability and presence subscriptions. These stanzas have no answer, so invalid ones are ignored. */
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
