import { lidJid, userJid, WorldError } from '../../world/index.ts';
import { Refusal } from '../errors.ts';
import type { Pictures } from '../media/pictures.ts';
import type { Network } from '../network.ts';
import { bytesOf, child, children, node, textOf } from '../transport/nodes.ts';
import type { IqHandler } from './iq.ts';

/** `w:profile:picture`. 404 for a photo that was never set, 401 for a hidden one. */
export function createPictureHandler({ world }: Network, pictures: Pictures): IqHandler {
  return ({ device }, request) => {
    const target = request.attrs.target ?? userJid(device.phone);
    const asked = child(request, 'picture');
    if (request.attrs.type === 'get') {
      const type = asked?.attrs.type === 'image' ? 'image' : 'preview';
      const { id } = visiblePhoto(() => world.photos.get(device.phone, target, type));
      // the client has this picture already
      if (asked?.attrs.id === id) return [];
      const addresses = { url: pictures.urlOf(id, type), direct_path: pictures.pathOf(id, type) };
      return [node('picture', { id, type, ...addresses })];
    }
    const id = world.photos.set(device, target, bytesOf(asked));
    return id === undefined ? [] : [node('picture', { id })];
  };
}

function visiblePhoto<T>(look: () => T): T {
  try {
    return look();
  } catch (error) {
    if (error instanceof WorldError && error.code === 'forbidden') throw new Refusal(401, 'not-authorized');
    throw error;
  }
}

/** `status`: the own About text. */
export function createAboutHandler({ world }: Network): IqHandler {
  return ({ device }, request) => {
    world.phones.update(device, { about: textOf(child(request, 'status')) ?? '' });
    return [];
  };
}

/** `blocklist`, by alternate addresses. */
export function createBlocklistHandler({ world: { blocklists } }: Network): IqHandler {
  return ({ device }, request) => {
    if (request.attrs.type === 'set') {
      const [item] = children(request, 'item');
      const { jid, action } = item?.attrs ?? {};
      if (!jid) throw new Refusal(400, 'bad-request');
      if (action === 'block') blocklists.block(device, jid);
      else blocklists.unblock(device, jid);
    }
    const items = blocklists.of(device.phone).map(({ lid }) => node('item', { jid: lidJid(lid) }));
    return [node('list', {}, items)];
  };
}

/** `w:biz`: the profile of a business. */
export function createBusinessHandler({ world }: Network): IqHandler {
  return (_session, request) => {
    const profiles = children(child(request, 'business_profile'), 'profile').flatMap(
      ({ attrs: { jid = '' } }) => {
        const name = world.phones.find(jid)?.businessName;
        return name === undefined
          ? []
          : node('profile', { jid }, [node('description', {}, Buffer.from(name))]);
      },
    );
    return [node('business_profile', {}, profiles)];
  };
}

/** `md`: a device unlinks itself. */
export function createUnlinkHandler({ world }: Network): IqHandler {
  return ({ device }, request, afterwards) => {
    if (!child(request, 'remove-companion-device')) throw new Refusal(501, 'feature-not-implemented');
    afterwards(() => world.devices.unlink(device.sessionId));
    return [];
  };
}
