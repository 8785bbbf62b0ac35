import type { MediaType } from '@parley/contract';
import type { KeptSource, TempFiles } from '#actions';
import type { OwnedNumber } from '#http';
import type { Ids } from '#kernel';
import type { SendBudget } from '#messages';
import type { Channel, ChannelMessage, ChannelOperations } from '#network';
import type { HostAction } from '#sessions';

interface NewChannel {
  readonly name: string;
  readonly description?: string;
  readonly picture?: FileSource;
}

/** Where a file is to be had from. */
type FileSource = { readonly url: string } | KeptSource;

export type Post =
  | { readonly text: string }
  | { readonly type: MediaType; readonly file: FileSource; readonly caption?: string };

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
      name: 'channels.create_with_picture',
      run: ({ number, session: { channels } }, { picture: given, ...channel }) =>
        given === undefined
          ? channels.create(channel)
          : files.lend({ ...sourceOf(number, given, 'picture_url'), type: 'image' }, (picture) =>
              channels.create({ ...channel, picture }),
            ),
    },
    post: {
      name: 'channels.post',
      async run({ number, session: { channels } }, { channel, post }) {
        // Before the download: a number over its limits must not cost us files.
        await budget.spend(number);
        if ('text' in post) return publish(channels, channel, { kind: 'text', text: post.text });
        const { type, file: given, caption } = post;
        return files.lend({ ...sourceOf(number, given, 'media_url'), type }, ({ fileName, ...file }) =>
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

function sourceOf({ accountId }: OwnedNumber, given: FileSource, urlField: string) {
  if ('url' in given) return { from: given, field: urlField };
  const { mediaId, field } = given;
  return { from: { accountId, mediaId }, field };
}
