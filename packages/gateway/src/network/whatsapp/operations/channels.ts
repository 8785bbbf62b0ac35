import { generateWAMessageContent, type WASocket } from 'baileys';
import type { Jid } from '../../content.ts';
import { NetworkError } from '../../errors.ts';
import type { Channel, ChannelMessage, ChannelOperations } from '../../operations.ts';
import { boundedName } from '../convert/index.ts';
import { type PlainContent, toForm } from '../convert/outbound.ts';
import { ackError, property } from '../errors.ts';
import { CHANNEL_QUERIES, runQuery } from '../link/queries.ts';
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
      fetch_viewer_metadata: true,
      input: { key, type },
    });
    return toChannel(found);
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

  return {
    create: ({ name, description, picture }) =>
      ask(context, async (sock) => {
        const image = picture ? (await pictureFrom(context.codecs, picture)).toString('base64') : undefined;
        const input = { name, description: description ?? null, ...(image ? { picture: image } : {}) };
        return toChannel(await runQuery(sock, CHANNEL_QUERIES.create, { input }));
      }),
    list: () =>
      ask(context, async (sock) => {
        const followed = await runQuery(sock, CHANNEL_QUERIES.followed, {});
        return Array.isArray(followed) ? followed.map(toChannel) : [];
      }),
    detail: (channel) => ask(context, (sock) => detail(sock, channel, 'JID')),
    mute: (channel, mute) =>
      ask(context, async (sock) => {
        await runQuery(sock, mute ? CHANNEL_QUERIES.mute : CHANNEL_QUERIES.unmute, byJid(channel));
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
        const plain = plainContent(content);
        const form = toForm(plain, channel, noPolls, await describeFile(context, plain));
        const message = await generateWAMessageContent(form.content, {
          jid: channel,
          upload: sock.waUploadToServer,
        });
        const { serverId } = await deliver(messageId, () =>
          sock.relayMessage(channel, message, { messageId }),
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

function plainContent(content: ChannelMessage['content']): PlainContent {
  switch (content.kind) {
    case 'text':
      return content;
    case 'document':
      return { ...content, kind: 'document', fileName: content.fileName ?? 'file' };
    case 'audio':
      return { kind: 'audio', file: content.file };
    case 'image':
    case 'video':
      return { ...content, kind: content.kind };
  }
}

function noPolls(): never {
  throw new TypeError('channel messages hold no polls');
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
