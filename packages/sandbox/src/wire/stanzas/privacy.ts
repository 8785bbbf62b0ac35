import { WorldError } from '../../world/index.ts';
import { Refusal } from '../errors.ts';
import type { Network, Session } from '../network.ts';
import { child, children, type Node, node } from '../transport/nodes.ts';
import type { IqHandler } from './iq.ts';

/** `privacy`: the settings of the account, and trusted tokens for their holders; their answer contains none, as on the real network. */
export function createPrivacyHandler({ world }: Network): IqHandler {
  const issueTokens = (device: Session['device'], tokens: readonly Node[]): void => {
    for (const { attrs } of tokens) {
      if (attrs.type !== 'trusted_contact' || !attrs.jid) continue;
      try {
        world.tokens.issue(device, attrs.jid);
      } catch (error) {
        // the holder is not on this network
        if (!(error instanceof WorldError)) throw error;
      }
    }
  };

  const settingsOf = (phone: string): Node =>
    node(
      'privacy',
      {},
      world.privacy.of(phone).map((setting) => node('category', setting)),
    );

  return ({ device }, request) => {
    if (request.attrs.type === 'get') return [settingsOf(device.phone)];
    const changed = child(request, 'privacy');
    const categories = children(changed, 'category');
    if (changed && categories.length === 0) throw new Refusal(400, 'bad-request');
    world.transaction(() => {
      for (const category of categories) {
        const { name = '', value = '' } = category.attrs;
        const people = children(category, 'user').map(({ attrs: { jid = '', action } }) => ({
          who: jid,
          excludes: action === 'add',
        }));
        world.privacy.set(device, name, value, people);
      }
    });
    issueTokens(device, children(child(request, 'tokens'), 'token'));
    return changed ? [settingsOf(device.phone)] : [];
  };
}
