import type { MediaType } from '@parley/contract';
import type { TempFiles } from '#actions';
import type { Ids } from '#kernel';
import type { SendBudget } from '#messages';
import type { Channel, ChannelMessage, ChannelOperations } from '#network';
import type { HostAction } from '#sessions';

interface NewChannel {
  readonly name: string;
  readonly description?: string;
  readonly pictureUrl?: string;
}

export type Post =
  | { readonly text: string }
  | { readonly type: MediaType; readonly url: string; readonly caption?: string };

export interface ChannelActions {
  readonly create: HostAction<NewChannel, Channel>;
  readonly post: HostAction<
    { readonly channel: string; readonly post: Post },
    { readonly messageId: string; readonly serverId?: number }
  >;
}

interface ChannelActionParts {
  readonly files: TempFiles;
  readonly budget: SendBudget;
  readonly ids: Pick<Ids, 'message'>;
}

export function createChannelActions({ files, budget, ids }: ChannelActionParts): ChannelActions {
  async function publish(channels: ChannelOperations, channel: string, content: ChannelMessage['content']) {
    const messageId = ids.message();
    return { messageId, ...(await channels.send(channel, { messageId, content })) };
  }

  return {
    create: {
      name: 'channels.create_with_picture_from_url',
      run: ({ session: { channels } }, { pictureUrl, ...channel }) =>
        pictureUrl === undefined
          ? channels.create(channel)
          : files.lend({ from: { url: pictureUrl }, field: 'picture_url', type: 'image' }, (picture) =>
              channels.create({ ...channel, picture }),
            ),
    },
    post: {
      name: 'channels.post',
      async run({ number, session: { channels } }, { channel, post }) {
        // Before the download: a number over its limits must not cost us files.
        await budget.spend(number);
        if ('text' in post) return publish(channels, channel, { kind: 'text', text: post.text });
        const { type, url, caption } = post;
        return files.lend({ from: { url }, field: 'media_url', type }, ({ fileName, ...file }) =>
          publish(channels, channel, {
            kind: type,
            file,
            ...(caption !== undefined && { caption }),
            ...(type === 'document' && fileName !== '' && { fileName }),
          }),
        );
      },
    },
  };
}
