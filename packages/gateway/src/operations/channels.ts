import { type BodyOf, channelKey, type MediaType, type Newsletter, operations } from '@parley/contract';
import { apiError, type Ids } from '#kernel';
import type { MediaAccess } from '#media';
import type { SendBudget } from '#messages';
import type { Channel, ChannelMessage, ChannelOperations } from '#network';
import type { Caller, OwnedNumber, Route } from '#platform/http';
import type { GetHost, HostAction } from '#sessions';
import { type ActionContext, createActionServer, refusalOf } from './serve-action.ts';
import { type KeptSource, keptSource, type TempFiles } from './temp-files.ts';

interface NewChannel {
  readonly name: string;
  readonly description?: string;
  readonly picture?: FileSource;
}

/** Source of a file. */
type FileSource = { readonly url: string } | KeptSource;

type Post =
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
      name: 'createNewsletter',
      run: ({ number, session: { channels } }, { picture: given, ...channel }) =>
        given === undefined
          ? channels.create(channel)
          : files.lend({ ...sourceOf(number, given, 'picture_url'), type: 'image' }, (picture) =>
              channels.create({ ...channel, picture }),
            ),
    },
    post: {
      name: 'postToNewsletter',
      async run({ number, session: { channels } }, { channel, post }) {
        // Before the download: a number over its limits must not cost downloads.
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

interface ChannelsContext extends ActionContext {
  readonly actions: ChannelActions;
  readonly media: Pick<MediaAccess, 'idOf'>;
}

export function channelsRoutes({ getHost, states, actions, media }: ChannelsContext): Route[] {
  const serveAction = createActionServer({ states });
  const ofChannel = { not_found: 'channel_not_found' } as const;

  return [
    serveAction(
      operations.createNewsletter,
      { malformed: async ({ body }) => (hasPicture(body) ? 'picture_unusable' : 'network_rejects') },
      async ({ caller, number, body }) => {
        const { name, description, picture_url: url } = body;
        const picture = (await keptSource(media, caller, body)) ?? (url === undefined ? undefined : { url });
        const channel = { name, description, ...(picture && { picture }) };
        return publicChannel(await getHost(number).run(actions.create, channel));
      },
    ),
    serveAction(operations.listNewsletters, {}, async ({ number }) => {
      const channels = await getHost(number).channels.list();
      return { newsletters: channels.map(publicChannel) };
    }),
    serveAction(operations.getNewsletter, ofChannel, async ({ number, params }) =>
      publicChannel(await getHost(number).channels.detail(params.nl)),
    ),
    serveAction(operations.muteNewsletter, ofChannel, async ({ number, params: { nl: jid }, body }) => {
      await getHost(number).channels.mute(jid, body.mute);
      return { jid, mute: body.mute };
    }),
    serveAction(
      operations.followNewsletter,
      { not_found: async ({ body }) => notFoundBy(body.channel) },
      async ({ number, body }) => {
        const reference = channelKey(body.channel);
        if (reference === null) throw apiError('invite_not_found');
        const { by, key } = reference;
        const target = by === 'jid' ? { jid: key } : { inviteCode: key };
        return publicChannel(await getHost(number).channels.follow(target));
      },
    ),
    serveAction(operations.unfollowNewsletter, ofChannel, async ({ number, params: { nl: jid } }) => {
      await getHost(number).channels.unfollow(jid);
      return { jid, following: false as const };
    }),
    serveAction(
      operations.postToNewsletter,
      { ...ofChannel, refused: 'channel_admin_required' },
      async ({ caller, number, params, body }) => {
        const post = await postOf(media, caller, body);
        const { messageId, serverId } = await getHost(number).run(actions.post, { channel: params.nl, post });
        return { message_id: messageId, ...(serverId !== undefined && { server_id: serverId }) };
      },
    ),
    serveAction(
      operations.reactInNewsletter,
      { not_found: (call) => errorForMissing(getHost, call) },
      async ({ number, params: { nl: jid }, body: { server_id, message_id, reaction } }) => {
        await getHost(number).channels.react(jid, server_id, message_id, reaction);
        return { jid, server_id, reaction };
      },
    ),
  ];
}

function publicChannel({ jid, name, description, subscriberCount, inviteCode }: Channel): Newsletter {
  return { jid, name, description, subscriber_count: subscriberCount, invite_code: inviteCode };
}

function hasPicture({ picture_url, media_id, media_base64 }: BodyOf<typeof operations.createNewsletter>) {
  return (picture_url ?? media_id ?? media_base64) !== undefined;
}

/** The contract ensures that it is either a text or a file. */
async function postOf(
  media: Pick<MediaAccess, 'idOf'>,
  caller: Caller,
  body: BodyOf<typeof operations.postToNewsletter>,
): Promise<Post> {
  const { text = '', media_type: type, media_url: url = '', caption } = body;
  if (type === undefined) return { text };
  return { type, file: (await keptSource(media, caller, body)) ?? { url }, caption };
}

function notFoundBy(reference: string): 'channel_not_found' | 'invite_not_found' {
  return channelKey(reference)?.by === 'jid' ? 'channel_not_found' : 'invite_not_found';
}

interface AboutChannel {
  readonly number: OwnedNumber;
  readonly params: { readonly nl: string };
}

/** The network does not distinguish an unknown channel from an unknown message. */
async function errorForMissing(
  getHost: GetHost,
  { number, params }: AboutChannel,
): Promise<'channel_not_found' | 'channel_message_not_found'> {
  const isUnknown = await refusalOf(getHost(number).channels.detail(params.nl));
  return isUnknown ? 'channel_not_found' : 'channel_message_not_found';
}
