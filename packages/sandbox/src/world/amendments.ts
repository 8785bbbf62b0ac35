import type { ChatKey } from './chats.ts';
import type { AmendingContent } from './content.ts';
import type { Ground } from './ground.ts';
import type { MessageRow, MessageTable } from './message-table.ts';
import type { PhoneNumber } from './types.ts';

export interface Amendments {
  /** Changes the bubble that the content is about, if there is one. */
  apply(by: PhoneNumber, chat: ChatKey, content: AmendingContent, at: number): void;
}

interface AmendmentsNeeds {
  ground: Ground;
  table: MessageTable;
}

export function createAmendments({ ground, table }: AmendmentsNeeds): Amendments {
  const { db } = ground;

  const react = (target: MessageRow, by: PhoneNumber, emoji: string, at: number): void => {
    if (emoji === '') {
      db.run('DELETE FROM reactions WHERE seq = ? AND phone = ?', target.seq, by);
      return;
    }
    db.run(
      `INSERT INTO reactions (seq, phone, emoji, at) VALUES (?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET emoji = excluded.emoji, at = excluded.at`,
      target.seq,
      by,
      emoji,
      at,
    );
  };

  const vote = (target: MessageRow, by: PhoneNumber, hashes: string[], at: number): void => {
    db.run(
      `INSERT INTO votes (seq, phone, hashes, at) VALUES (?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET hashes = excluded.hashes, at = excluded.at`,
      target.seq,
      by,
      JSON.stringify(hashes),
      at,
    );
  };

  return {
    apply(by, chat, content, at) {
      const target = table.find(chat, content.target);
      if (!target) return;
      switch (content.type) {
        case 'reaction':
          return react(target, by, content.emoji, at);
        case 'poll_vote':
          return vote(target, by, content.hashes, at);
        case 'edit':
          db.run(
            'UPDATE messages SET edited_text = ?, edited_at = ? WHERE seq = ?',
            content.text,
            at,
            target.seq,
          );
          return;
        case 'revoke':
          db.run('UPDATE messages SET revoked_by = ?, revoked_at = ? WHERE seq = ?', by, at, target.seq);
          return;
      }
    },
  };
}
