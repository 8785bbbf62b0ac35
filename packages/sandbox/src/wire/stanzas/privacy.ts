import { WorldError } from '../../world/index.ts';
import type { Network } from '../network.ts';
import { child, children, node } from '../transport/nodes.ts';
import type { IqHandler } from './iq.ts';

const SETTINGS = {
  readreceipts: 'all',
  profile: 'all',
  status: 'all',
  online: 'all',
  last: 'all',
  groupadd: 'all',
  calladd: 'all',
  messages: 'all',
};

/** `privacy`: everything is visible here. Trusted tokens go to their holders; the answer contains none, as on the real network. */
export function createPrivacyHandler({ world: { tokens } }: Network): IqHandler {
  return ({ device }, request) => {
    if (request.attrs.type === 'get') {
      const categories = Object.entries(SETTINGS).map(([name, value]) => node('category', { name, value }));
      return [node('privacy', {}, categories)];
    }
    for (const { attrs } of children(child(request, 'tokens'), 'token')) {
      if (attrs.type !== 'trusted_contact' || !attrs.jid) continue;
      try {
        tokens.issue(device, attrs.jid);
      } catch (error) {
        // the holder is not on this network
        if (!(error instanceof WorldError)) throw error;
      }
    }
    return [];
  };
}
