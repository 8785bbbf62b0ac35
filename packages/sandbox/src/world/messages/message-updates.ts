import type { PhoneNumber } from '../types.ts';
import type { WorldContext } from '../world-context.ts';
import type { ChatKey } from './chats.ts';
import type { UpdatingContent } from './content.ts';
import type { MessageRow, MessageTable } from './message-table.ts';

export interface MessageUpdates {
  /** Changes the bubble that the content targets on the screen of one phone, if the phone has it and can read it. */
  apply(viewer: PhoneNumber, messageUpdate: MessageUpdate): void;
}

interface MessageUpdate {
  by: PhoneNumber;
  chat: ChatKey;
  content: UpdatingContent;
  at: number;
}

interface MessageUpdatesNeeds {
  context: WorldContext;
  table: MessageTable;
}

export function createMessageUpdates({ context, table }: MessageUpdatesNeeds): MessageUpdates {
  const { db } = context;

  const react = (
    viewer: PhoneNumber,
    { seq }: MessageRow,
    by: PhoneNumber,
    emoji: string,
    at: number,
  ): void => {
    if (emoji === '') {
      db.run('DELETE FROM reactions WHERE seq = ? AND viewer = ? AND phone = ?', seq, viewer, by);
      return;
    }
    db.run(
      `INSERT INTO reactions (seq, viewer, phone, emoji, at) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET emoji = excluded.emoji, at = excluded.at`,
      seq,
      viewer,
      by,
      emoji,
      at,
    );
  };

  const vote = (
    viewer: PhoneNumber,
    { seq }: MessageRow,
    by: PhoneNumber,
    hashes: string[],
    at: number,
  ): void => {
    db.run(
      `INSERT INTO votes (seq, viewer, phone, hashes, at) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET hashes = excluded.hashes, at = excluded.at`,
      seq,
      viewer,
      by,
      JSON.stringify(hashes),
      at,
    );
  };

  return {
    apply(viewer, { by, chat, content, at }) {
      const target = table.find(chat, content.target);
      if (!target || !table.contentFor(viewer, target)) return;
      switch (content.type) {
        case 'reaction':
          return react(viewer, target, by, content.emoji, at);
        case 'poll_vote':
          return vote(viewer, target, by, content.hashes, at);
        case 'edit':
          db.run(
            'UPDATE copies SET edited_text = ?, edited_at = ? WHERE phone = ? AND seq = ?',
            content.text,
            at,
            viewer,
            target.seq,
          );
          return;
        case 'revoke':
          db.run(
            'UPDATE copies SET revoked_by = ?, revoked_at = ? WHERE phone = ? AND seq = ?',
            by,
            at,
            viewer,
            target.seq,
          );
          return;
      }
    },
  };
}
