import type { MailboxWriter } from '../devices/mailbox.ts';
import { isChannelJid, readInvite } from '../jids.ts';
import type { Content } from '../messages/content.ts';
import {
  type Actor,
  type Channel,
  type ChannelMessage,
  type ChannelRole,
  type FollowedChannel,
  type PhoneNumber,
  WorldError,
} from '../types.ts';
import type { WorldContext } from '../world-context.ts';
import type { Channels } from './types.ts';

interface ChannelRow {
  jid: string;
  name: string;
  description: string;
  invite_code: string;
  created_at: number;
  subscribers: number;
  picture_id: string | null;
}

interface FollowedRow extends ChannelRow {
  role: ChannelRole;
  muted: number;
}

interface MessageRow {
  jid: string;
  server_id: number;
  id: string;
  at: number;
  content: string;
}

const columns = `c.*, (SELECT count(*) FROM followers f WHERE f.jid = c.jid) AS subscribers,
  (SELECT p.id FROM photos p WHERE p.owner = c.jid) AS picture_id`;

interface ChannelsNeeds {
  context: WorldContext;
  mailboxes: MailboxWriter;
  storePhoto(owner: string, bytes: Uint8Array | undefined): void;
}

export function createChannels({ context, mailboxes, storePhoto }: ChannelsNeeds): Channels {
  const { db, clock, randomValues } = context;

  const find = (reference: string): ChannelRow => {
    const [column, value] = isChannelJid(reference)
      ? ['jid', reference]
      : ['invite_code', readInvite(reference)];
    const row = db.get<ChannelRow>(`SELECT ${columns} FROM channels c WHERE c.${column} = ?`, value);
    if (!row) throw new WorldError('not_found', 'there is no such channel');
    return row;
  };

  const followedRow = (phone: PhoneNumber, jid: string): FollowedRow | undefined =>
    db.get<FollowedRow>(
      `SELECT ${columns}, m.role, m.muted FROM channels c JOIN followers m ON m.jid = c.jid
       WHERE m.phone = ? AND c.jid = ?`,
      phone,
      jid,
    );

  const requireFollowed = (actor: Actor, jid: string): FollowedChannel => {
    find(jid);
    const row = followedRow(actor.phone, jid);
    if (!row) throw new WorldError('forbidden', 'this channel is not followed');
    return toFollowed(row);
  };

  const addFollower = (jid: string, phone: PhoneNumber, role: ChannelRole): void => {
    db.run('INSERT OR IGNORE INTO followers (jid, phone, role) VALUES (?, ?, ?)', jid, phone, role);
  };

  const toMessage = (row: MessageRow): ChannelMessage => ({
    channel: row.jid,
    serverId: row.server_id,
    id: row.id,
    at: row.at,
    content: JSON.parse(row.content),
    reactions: Object.fromEntries(
      db
        .all<{ emoji: string; n: number }>(
          'SELECT emoji, count(*) AS n FROM channel_reactions WHERE jid = ? AND server_id = ? GROUP BY emoji',
          row.jid,
          row.server_id,
        )
        .map(({ emoji, n }) => [emoji, n]),
    ),
  });

  const messageBy = (jid: string, column: 'id' | 'server_id', value: string | number) => {
    const row = db.get<MessageRow>(
      `SELECT * FROM channel_messages WHERE jid = ? AND ${column} = ?`,
      jid,
      value,
    );
    return row && toMessage(row);
  };

  const publish = (jid: string, id: string, content: Content): ChannelMessage => {
    const serverId =
      db.get<{ n: number }>(
        'UPDATE channels SET last_server_id = last_server_id + 1 WHERE jid = ? RETURNING last_server_id AS n',
        jid,
      )?.n ?? 0;
    const at = clock.now();
    db.run(
      'INSERT INTO channel_messages (jid, server_id, id, at, content) VALUES (?, ?, ?, ?, ?)',
      jid,
      serverId,
      id,
      at,
      JSON.stringify(content),
    );
    return { channel: jid, serverId, id, at, content, reactions: {} };
  };

  return {
    create: (actor, { name, description, picture }) =>
      context.act(() => {
        if (name.trim() === '') throw new WorldError('bad_request', 'a channel needs a name');
        const jid = `120363${randomValues.digits(12)}@newsletter`;
        db.run(
          'INSERT INTO channels (jid, name, description, invite_code, created_at) VALUES (?, ?, ?, ?, ?)',
          jid,
          name,
          description,
          randomValues.inviteCode(),
          clock.now(),
        );
        storePhoto(jid, picture);
        addFollower(jid, actor.phone, 'owner');
        return requireFollowed(actor, jid);
      }),
    get: (reference) => toChannel(find(reference)),
    followed(phone, jid) {
      const row = followedRow(phone, jid);
      return row && toFollowed(row);
    },
    followedBy: (phone) =>
      db
        .all<FollowedRow>(
          `SELECT ${columns}, m.role, m.muted FROM channels c JOIN followers m ON m.jid = c.jid
           WHERE m.phone = ? ORDER BY c.created_at, c.jid`,
          phone,
        )
        .map(toFollowed),
    follow: (actor, reference) =>
      context.act(() => {
        const { jid } = find(reference);
        addFollower(jid, actor.phone, 'subscriber');
        return requireFollowed(actor, jid);
      }),
    unfollow(actor, jid) {
      context.act(() => {
        if (requireFollowed(actor, jid).role === 'owner') {
          throw new WorldError('forbidden', 'the owner cannot unfollow a channel');
        }
        db.run('DELETE FROM followers WHERE jid = ? AND phone = ?', jid, actor.phone);
      });
    },
    mute(actor, jid, muted) {
      context.act(() => {
        requireFollowed(actor, jid);
        db.run('UPDATE followers SET muted = ? WHERE jid = ? AND phone = ?', Number(muted), jid, actor.phone);
      });
    },
    send: (actor, jid, { id, content }) =>
      context.act(() => {
        if (requireFollowed(actor, jid).role !== 'owner') {
          throw new WorldError('forbidden', 'only the owner may send to this channel');
        }
        const earlier = messageBy(jid, 'id', id);
        if (earlier) return earlier;
        const message = publish(jid, id, content);
        for (const { phone } of db.all<{ phone: string }>('SELECT phone FROM followers WHERE jid = ?', jid)) {
          mailboxes.notify(phone, { kind: 'channel_message', message, fromMe: phone === actor.phone }, actor);
        }
        return message;
      }),
    react(actor, jid, serverId, emoji) {
      context.act(() => {
        requireFollowed(actor, jid);
        if (!messageBy(jid, 'server_id', serverId)) {
          throw new WorldError('not_found', `the channel has no message ${serverId}`);
        }
        if (emoji === '') {
          db.run(
            'DELETE FROM channel_reactions WHERE jid = ? AND server_id = ? AND phone = ?',
            jid,
            serverId,
            actor.phone,
          );
          return;
        }
        db.run(
          `INSERT INTO channel_reactions (jid, server_id, phone, emoji) VALUES (?, ?, ?, ?)
           ON CONFLICT DO UPDATE SET emoji = excluded.emoji`,
          jid,
          serverId,
          actor.phone,
          emoji,
        );
      });
    },
    messages(jid, limit, beforeServerId = Number.MAX_SAFE_INTEGER) {
      find(jid);
      return db
        .all<MessageRow>(
          'SELECT * FROM channel_messages WHERE jid = ? AND server_id < ? ORDER BY server_id DESC LIMIT ?',
          jid,
          beforeServerId,
          limit,
        )
        .reverse()
        .map(toMessage);
    },
  };
}

const toChannel = (row: ChannelRow): Channel => ({
  jid: row.jid,
  name: row.name,
  description: row.description,
  inviteCode: row.invite_code,
  subscriberCount: row.subscribers,
  createdAt: row.created_at,
  pictureId: row.picture_id ?? undefined,
});

const toFollowed = (row: FollowedRow): FollowedChannel => ({
  ...toChannel(row),
  role: row.role,
  muted: row.muted === 1,
});
