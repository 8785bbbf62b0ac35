import type { Channel as WorldChannel } from '@parley/sandbox/world';
import type { Channel, ChannelOperations } from '../../operations.ts';
import { ask, type Link, requireConnection } from './link.ts';
import { readMediaFile } from './media.ts';
import { toChannelContent } from './outbound.ts';
import { underFaults } from './send.ts';

export function createChannelOperations(link: Link): ChannelOperations {
  const { channels } = link.world;
  return {
    create: ({ name, description = '', picture }) =>
      ask(link, async (device) => {
        const bytes = picture && (await readMediaFile(picture));
        return toChannel(channels.create(device, { name, description, picture: bytes }));
      }),
    list: () => ask(link, (device) => channels.followedBy(device.phone).map(toChannel)),
    detail: (channel) => ask(link, () => toChannel(channels.get(channel))),
    mute: (channel, mute) => ask(link, (device) => channels.mute(device, channel, mute)),
    follow: (target) =>
      ask(link, (device) => {
        const reference = 'jid' in target ? target.jid : target.inviteCode;
        return toChannel(channels.follow(device, reference));
      }),
    unfollow: (channel) => ask(link, (device) => channels.unfollow(device, channel)),
    send: (channel, { messageId, content }) =>
      ask(link, async (device) => {
        const connection = requireConnection(link);
        const form = await toChannelContent(link.world, content);
        const { serverId } = await underFaults(link, connection, () =>
          channels.send(device, channel, { id: messageId, content: form }),
        );
        return { serverId };
      }),
    react: (channel, serverId, _messageId, reaction) =>
      ask(link, (device) => channels.react(device, channel, serverId, reaction)),
  };
}

function toChannel({ jid, name, description, subscriberCount, inviteCode }: WorldChannel): Channel {
  return { jid, name, description, subscriberCount, inviteCode };
}
