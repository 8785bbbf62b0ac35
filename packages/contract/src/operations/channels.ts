import Type from 'typebox';
import { emojiComplaint } from '../emoji.ts';
import { ChannelReference } from '../invites.ts';
import { CHANNEL_DESCRIPTION_MAX_LENGTH, CHANNEL_NAME_MAX_LENGTH, EMOJI_MAX_LENGTH } from '../limits.ts';
import {
  Caption,
  MediaTypeName,
  MediaUrl,
  MessageText,
  otherSources,
  type PostSource,
  postComplaint,
  sourceComplaint,
} from '../messages/content.ts';
import { HttpUrl, MessageId } from '../primitives.ts';
import {
  Newsletter,
  NewsletterList,
  NewsletterMuted,
  NewsletterPosted,
  NewsletterReacted,
  NewsletterUnfollowed,
} from '../resources/index.ts';
import { closed, line, oneLine, severalLines } from '../schema.ts';
import { givenFileErrors, pictureErrors } from './file-errors.ts';
import { operation } from './operation.ts';
import { newsletterPath, sessionPath } from './paths.ts';

const onChannels = {
  tag: 'Channels',
  surface: 'v1',
  permission: 'channels',
  limits: ['network_action'],
  subject: 'session',
  sessionMustBe: 'online',
  feature: 'channels',
} as const;

/** @public In the types of the package. */
export interface ChannelPicture extends Omit<PostSource, 'text' | 'media_type' | 'media_url'> {
  readonly picture_url?: string;
}

export const channelOperations = {
  createNewsletter: operation({
    ...onChannels,
    id: 'createNewsletter',
    method: 'POST',
    path: '/v1/sessions/{id}/newsletters',
    summary: 'Create a channel',
    description: 'The picture, if any, is given by one of `picture_url`, `media_id` and `media_base64`.',
    params: sessionPath,
    body: closed(
      {
        name: line(CHANNEL_NAME_MAX_LENGTH),
        description: Type.Optional(
          Type.String({ maxLength: CHANNEL_DESCRIPTION_MAX_LENGTH, ...severalLines }),
        ),
        picture_url: Type.Optional(HttpUrl),
        ...otherSources,
      },
      { examples: [{ name: 'Harbour news', description: 'Tides, ferries and weather' }] },
    ),
    bodyRule: (body: ChannelPicture) =>
      [body.picture_url, body.media_id, body.media_base64, body.mimetype].every((each) => each === undefined)
        ? null
        : sourceComplaint('picture_url', body.picture_url, body),
    answers: { 200: Newsletter },
    errors: pictureErrors,
    sdk: 'channels.create',
    mcp: { tool: true },
    run: { keeps: { newsletter: 'jid' } },
  }),
  listNewsletters: operation({
    ...onChannels,
    id: 'listNewsletters',
    method: 'GET',
    path: '/v1/sessions/{id}/newsletters',
    summary: 'List followed channels',
    params: sessionPath,
    listBound: 'The channels of one number, as the specification answers them.',
    answers: { 200: NewsletterList },
    errors: [],
    sdk: 'channels.list',
    mcp: { tool: true },
    run: {},
  }),
  getNewsletter: operation({
    ...onChannels,
    id: 'getNewsletter',
    method: 'GET',
    path: '/v1/sessions/{id}/newsletters/{nl}',
    summary: 'Get a channel',
    params: newsletterPath,
    answers: { 200: Newsletter },
    errors: ['channel_not_found'],
    sdk: 'channels.get',
    mcp: { tool: true, foreignText: true },
    run: {},
  }),
  muteNewsletter: operation({
    ...onChannels,
    id: 'muteNewsletter',
    method: 'POST',
    path: '/v1/sessions/{id}/newsletters/{nl}/mute',
    summary: 'Mute or unmute a channel',
    params: newsletterPath,
    body: closed({ mute: Type.Boolean({ examples: [true] }) }),
    answers: { 200: NewsletterMuted },
    errors: ['channel_not_found'],
    sdk: 'channels.mute',
    mcp: { tool: true },
    run: {},
  }),
  followNewsletter: operation({
    ...onChannels,
    id: 'followNewsletter',
    method: 'POST',
    path: '/v1/sessions/{id}/newsletters/follow',
    summary: 'Follow a channel',
    params: sessionPath,
    body: closed({ channel: ChannelReference }),
    answers: { 200: Newsletter },
    errors: ['channel_not_found', 'invite_not_found'],
    sdk: 'channels.follow',
    mcp: { tool: true },
  }),
  unfollowNewsletter: operation({
    ...onChannels,
    id: 'unfollowNewsletter',
    method: 'POST',
    path: '/v1/sessions/{id}/newsletters/{nl}/unfollow',
    summary: 'Stop following a channel',
    params: newsletterPath,
    answers: { 200: NewsletterUnfollowed },
    errors: ['channel_not_found'],
    sdk: 'channels.unfollow',
    mcp: { tool: true, destructive: true },
  }),
  postToNewsletter: operation({
    ...onChannels,
    id: 'postToNewsletter',
    method: 'POST',
    path: '/v1/sessions/{id}/newsletters/{nl}/messages',
    summary: 'Post to a channel',
    description:
      'Text, or a file with an optional caption, given by exactly one of `media_url`, `media_id` and `media_base64`. The session must be admin of the channel. Uses the same rate limits, cooldown and quota as `POST /v1/messages`.',
    limits: ['send', 'network_action'],
    params: newsletterPath,
    body: closed(
      {
        text: Type.Optional(MessageText),
        media_type: Type.Optional(MediaTypeName),
        media_url: Type.Optional(MediaUrl),
        ...otherSources,
        caption: Type.Optional(Caption),
      },
      { examples: [{ text: 'The 9 o’clock ferry is on time.' }] },
    ),
    bodyRule: (body: PostSource) => postComplaint(body),
    answers: { 200: NewsletterPosted },
    errors: [
      'media_pair_incomplete',
      'channel_not_found',
      'channel_admin_required',
      'media_unavailable',
      'media_too_large',
      'media_of_another_type',
      ...givenFileErrors,
    ],
    sdk: 'channels.post',
    mcp: { tool: true },
    run: { keeps: { server_id: 'server_id', post_id: 'message_id' } },
  }),
  reactInNewsletter: operation({
    ...onChannels,
    id: 'reactInNewsletter',
    method: 'POST',
    path: '/v1/sessions/{id}/newsletters/{nl}/react',
    summary: 'React to a channel message',
    description:
      'Take `server_id` and `message_id` from a `newsletter_message` event. An empty `reaction` removes the reaction.',
    params: newsletterPath,
    body: closed(
      {
        server_id: Type.Integer({ minimum: 0 }),
        message_id: MessageId,
        reaction: Type.String({
          maxLength: EMOJI_MAX_LENGTH,
          ...oneLine,
          description: 'One emoji; empty removes the reaction.',
        }),
      },
      { examples: [{ server_id: 118, message_id: '3EB0C767D71C5A4F1D2B', reaction: '👍' }] },
    ),
    bodyRule: ({ reaction }: { reaction: string }) => emojiComplaint('reaction', reaction),
    answers: { 200: NewsletterReacted },
    errors: ['channel_not_found', 'channel_message_not_found'],
    sdk: 'channels.react',
    mcp: { tool: true },
    run: { body: { server_id: '{{server_id}}', message_id: '{{post_id}}', reaction: '👍' } },
  }),
};
