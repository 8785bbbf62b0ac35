import type { FileTraits } from '@parley/codecs';
import { proto, type WASocket } from 'baileys';
import { isVoice, type Jid } from '../../content.ts';
import { NetworkError } from '../../errors.ts';
import type { Channel, ChannelMessage, ChannelOperations } from '../../operations.ts';
import { boundedName } from '../convert/index.ts';
import { toFileFields } from '../convert/outbound.ts';
import { ackError, property } from '../errors.ts';
import { CHANNEL_QUERIES, runQuery } from '../link/queries.ts';
import type { MediaTransport } from '../media/request.ts';
import { sha256Of, uploadFile } from '../media/upload.ts';
import type { Ack, Acks } from '../send/acks.ts';
import { describeFile } from '../send/outgoing.ts';
import { ask, type SessionContext } from '../session-context.ts';
import { pictureFrom } from './contacts.ts';

/**
 * Channel operations. The library has no list, fails on a channel without a picture, and reports a refused
 * message as sent, so the network is queried directly.
 */
export function createChannelOperations(context: SessionContext, acks: Acks): ChannelOperations {
  const byJid = (jid: Jid) => ({ newsletter_id: jid });

  async function detail(sock: WASocket, key: string, type: 'JID' | 'INVITE'): Promise<Channel> {
    const found = await runQuery(sock, CHANNEL_QUERIES.detail, {
      fetch_creation_time: true,
      fetch_full_image: false,
      fetch_pinned_messages: false,
      fetch_status_metadata: false,
      fetch_viewer_metadata: true,
      fetch_wamo_sub: false,
      input: { key, type, view_role: 'GUEST' },
    });
    return toChannel(found);
  }

  /** The list has no numbers of subscribers, which the network gives for one channel at a time. */
  async function withCounts(sock: WASocket, listed: readonly Channel[]): Promise<Channel[]> {
    const counted: Channel[] = [];
    for (let at = 0; at < Math.min(listed.length, MOST_COUNTED); at += COUNTED_AT_ONCE) {
      const some = listed.slice(at, at + COUNTED_AT_ONCE);
      const details = await Promise.all(some.map(({ jid }) => detail(sock, jid, 'JID').catch(unlessGone)));
      counted.push(...some.map((one, index) => ({ ...one, ...pickCount(details[index]) })));
    }
    return [...counted, ...listed.slice(counted.length)];
  }

  /** Writes a stanza to a channel and waits for the network's ack. */
  async function deliver(messageId: string, write: () => Promise<unknown>): Promise<Ack> {
    const { ack, forget } = acks.expect(messageId);
    try {
      await write();
      const answer = await ack;
      if (answer.error !== undefined) throw ackError(answer.error);
      return answer;
    } finally {
      forget();
    }
  }

  async function prepare(
    sock: WASocket,
    content: ChannelMessage['content'],
  ): Promise<Pick<ChannelPost, 'message'> & Partial<ChannelPost>> {
    if (content.kind === 'text') {
      return { message: proto.Message.fromObject({ extendedTextMessage: { text: content.text } }) };
    }
    const { lost } = context.connection();
    return prepareChannelFile(sock, content, {
      transport: context.mediaTransport(),
      now: () => context.clock.now(),
      signal: lost,
      traits: await describeFile(context, content),
    });
  }

  return {
    create: ({ name, description, picture }) =>
      ask(context, async (sock) => {
        const image = picture ? (await pictureFrom(context.codecs, picture)).toString('base64') : undefined;
        const input = { name, description: description ?? '', ...(image ? { picture: image } : {}) };
        return toChannel(await runQuery(sock, CHANNEL_QUERIES.create, { input }));
      }),
    list: () =>
      ask(context, async (sock) => {
        const wanted = { fetch_status_metadata: false, fetch_wamo_sub: false };
        const followed = await runQuery(sock, CHANNEL_QUERIES.followed, wanted);
        return withCounts(sock, Array.isArray(followed) ? followed.map(toChannel) : []);
      }),
    detail: (channel) => ask(context, (sock) => detail(sock, channel, 'JID')),
    mute: (channel, mute) =>
      ask(context, async (sock) => {
        const input = { ...byJid(channel), type: 'MUTE_FOLLOWER_ACTIVITY', value: mute ? 'ON' : 'OFF' };
        await runQuery(sock, CHANNEL_QUERIES.setting, { input });
      }),
    follow: (target) =>
      ask(context, async (sock) => {
        const channel =
          'jid' in target
            ? await detail(sock, target.jid, 'JID')
            : await detail(sock, target.inviteCode, 'INVITE');
        await runQuery(sock, CHANNEL_QUERIES.follow, byJid(channel.jid));
        return detail(sock, channel.jid, 'JID');
      }),
    unfollow: (channel) =>
      ask(context, async (sock) => {
        await runQuery(sock, CHANNEL_QUERIES.unfollow, byJid(channel));
      }),
    send: (channel, { messageId, content }) =>
      ask(context, async (sock) => {
        const { message, mediaType, handle } = await prepare(sock, content);
        const { serverId } = await deliver(messageId, () =>
          sock.sendNode({
            tag: 'message',
            attrs: {
              to: channel,
              id: messageId,
              type: mediaType === undefined ? 'text' : 'media',
              ...(handle ? { media_id: handle } : {}),
            },
            content: [
              {
                tag: 'plaintext',
                attrs: mediaType === undefined ? {} : { mediatype: mediaType },
                content: proto.Message.encode(message).finish(),
              },
            ],
          }),
        );
        return serverId === undefined ? {} : { serverId };
      }),
    react: (channel, serverId, _messageId, reaction) =>
      ask(context, async (sock) => {
        const id = sock.generateMessageTag();
        await deliver(id, () =>
          sock.sendNode({
            tag: 'message',
            attrs: {
              to: channel,
              id,
              type: 'reaction',
              server_id: String(serverId),
              ...(reaction ? {} : { edit: '7' }),
            },
            content: [{ tag: 'reaction', attrs: reaction ? { code: reaction } : {} }],
          }),
        );
      }),
  };
}

const MOST_COUNTED = 40;
const COUNTED_AT_ONCE = 4;

/** A channel may be deleted between the two questions. */
function unlessGone(error: unknown): undefined {
  if (error instanceof NetworkError && error.kind === 'not_found') return;
  throw error;
}

function pickCount(channel: Channel | undefined): Partial<Channel> {
  return channel ? { subscriberCount: channel.subscriberCount } : {};
}

/** Tolerant, because the network omits what a channel does not have. */
function toChannel(found: unknown): Channel {
  const jid = textIn(found, 'id');
  if (!jid) throw new NetworkError('not_found', 'The network does not know this channel.');
  const thread = property(found, 'thread_metadata');
  return {
    jid,
    name: boundedName(textIn(property(thread, 'name'), 'text')),
    description: textIn(property(thread, 'description'), 'text'),
    subscriberCount: Number(property(thread, 'subscribers_count')) || 0,
    inviteCode: textIn(thread, 'invite'),
  };
}

function textIn(value: unknown, name: string): string {
  const found = property(value, name);
  return typeof found === 'string' ? found : '';
}

type FileMessage = Extract<ChannelMessage['content'], { file: unknown }>;

/** A public file: not encrypted, and named to the network by the handle of its upload. */
interface ChannelPost {
  readonly message: proto.Message;
  readonly mediaType: string;
  readonly handle: string;
}

/** Uploads a file to the servers of channels. The network refuses a post whose file is on those of chats. */
async function prepareChannelFile(
  sock: WASocket,
  content: FileMessage,
  parts: {
    readonly transport: MediaTransport;
    readonly now: () => number;
    readonly signal: AbortSignal;
    readonly traits: FileTraits;
  },
): Promise<ChannelPost> {
  const { kind, file } = content;
  const fileSha256 = await sha256Of(file.path);
  const uploaded = await uploadFile(sock, {
    ...parts,
    path: file.path,
    folder: `/newsletter/newsletter-${kind}`,
    sha256: fileSha256,
    // The network makes the thumbnail that readers see.
    query: { server_thumb_gen: '1' },
  });
  const isVoiceMessage = kind === 'audio' && isVoice(file);
  const fields = {
    ...toFileFields(content, parts.traits),
    directPath: uploaded.directPath,
    fileSha256,
    ...(uploaded.thumbnail && {
      thumbnailDirectPath: uploaded.thumbnail.directPath,
      thumbnailSha256: uploaded.thumbnail.sha256,
    }),
  };
  return {
    message: proto.Message.fromObject({ [`${kind}Message`]: fields }),
    mediaType: isVoiceMessage ? 'ptt' : kind,
    handle: uploaded.handle,
  };
}
