import type { Ground } from '../ground.ts';
import type { PhoneNumber } from '../types.ts';
import type { ChatKey } from './chats.ts';
import type { AmendingContent } from './content.ts';
import type { MessageRow, MessageTable } from './message-table.ts';

export interface Amendments {
  /** Changes the bubble that the content is about on the screen of one phone, if there is one that it can read. */
  apply(viewer: PhoneNumber, amendment: Amendment): void;
}

interface Amendment {
  by: PhoneNumber;
  chat: ChatKey;
  content: AmendingContent;
  at: number;
}

interface AmendmentsNeeds {
  ground: Ground;
  table: MessageTable;
}

export function createAmendments({ ground, table }: AmendmentsNeeds): Amendments {
  const { db } = ground;

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
