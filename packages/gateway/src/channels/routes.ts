import { type BodyOf, channelKey, type Newsletter, operations } from '@parley/contract';
import { type ActionContext, createActionServer, keptSource, refusalOf } from '#actions';
import type { Caller, OwnedNumber, Route } from '#http';
import { fault } from '#kernel';
import type { MediaAccess } from '#media';
import type { Channel } from '#network';
import type { CallSession } from '#sessions';
import type { ChannelActions, Post } from './host-actions.ts';

interface ChannelsContext extends ActionContext {
  readonly actions: ChannelActions;
  readonly media: Pick<MediaAccess, 'idOf'>;
}

export function channelsRoutes({ callSession, states, actions, media }: ChannelsContext): Route[] {
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
        return publicChannel(await callSession(number, actions.create, channel));
      },
    ),
    serveAction(operations.listNewsletters, {}, async ({ number }) => {
      const channels = await callSession(number, 'channels.list', []);
      return { newsletters: channels.map(publicChannel) };
    }),
    serveAction(operations.getNewsletter, ofChannel, async ({ number, params }) =>
      publicChannel(await callSession(number, 'channels.detail', [params.nl])),
    ),
    serveAction(operations.muteNewsletter, ofChannel, async ({ number, params: { nl: jid }, body }) => {
      await callSession(number, 'channels.mute', [jid, body.mute]);
      return { jid, mute: body.mute };
    }),
    serveAction(
      operations.followNewsletter,
      { not_found: async ({ body }) => notFoundBy(body.channel) },
      async ({ number, body }) => {
        const reference = channelKey(body.channel);
        if (reference === null) throw fault('invite_not_found');
        const { by, key } = reference;
        const target = by === 'jid' ? { jid: key } : { inviteCode: key };
        return publicChannel(await callSession(number, 'channels.follow', [target]));
      },
    ),
    serveAction(operations.unfollowNewsletter, ofChannel, async ({ number, params: { nl: jid } }) => {
      await callSession(number, 'channels.unfollow', [jid]);
      return { jid, following: false as const };
    }),
    serveAction(
      operations.postToNewsletter,
      { ...ofChannel, refused: 'channel_admin_required' },
      async ({ caller, number, params, body }) => {
        const post = await postOf(media, caller, body);
        const { messageId, serverId } = await callSession(number, actions.post, { channel: params.nl, post });
        return { message_id: messageId, ...(serverId !== undefined && { server_id: serverId }) };
      },
    ),
    serveAction(
      operations.reactInNewsletter,
      { not_found: (call) => whatIsMissing(callSession, call) },
      async ({ number, params: { nl: jid }, body: { server_id, message_id, reaction } }) => {
        await callSession(number, 'channels.react', [jid, server_id, message_id, reaction]);
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

/** The contract has seen that it is either words or a file. */
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

/** The network does not say whether it is the channel or the message that it does not know. */
async function whatIsMissing(
  callSession: CallSession,
  { number, params }: AboutChannel,
): Promise<'channel_not_found' | 'channel_message_not_found'> {
  const isUnknown = await refusalOf(callSession(number, 'channels.detail', [params.nl]));
  return isUnknown ? 'channel_not_found' : 'channel_message_not_found';
}
