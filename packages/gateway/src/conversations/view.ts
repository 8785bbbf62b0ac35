import { isGroup, type KeptMessage, type KeptMessageDetail } from '@parley/contract';
import type { SealedBox } from '#kernel';
import type { HistoryMarkRow, HistoryMessageRow } from '#platform/store';
import { openMark, openMessage } from './content.ts';
import { RECEIPT_TYPES } from './entry.ts';

export type Box = Pick<SealedBox, 'open'>;

type Shown = Omit<KeptMessage, 'cursor'>;

const seconds = (ms: number): number => Math.floor(ms / 1_000);

/** A message in its current state; `marks` are all marks on it, in order. */
export function viewOfMessage(box: Box, row: HistoryMessageRow, marks: readonly HistoryMarkRow[]): Shown {
  const { text, ...content } = contentOf(box, row);
  const edit = editsOf(box, marks, content.sender_jid).at(-1);
  const reactions = reactionsOf(box, marks);
  return {
    message_id: row.message_id,
    from_me: row.from_me === 1,
    chat_jid: row.chat,
    is_group: isGroup(row.chat),
    timestamp_unix: seconds(row.at),
    ...content,
    text: edit?.text ?? text,
    ...(edit && { edited_at_unix: edit.timestamp_unix }),
    ...(row.from_me === 1 && { status: RECEIPT_TYPES[row.state] ?? 'sent' }),
    ...(reactions.length > 0 && { reactions }),
    ...(row.revoked_at !== null && { revoked_at_unix: seconds(row.revoked_at) }),
  };
}

/** The same with all receipts and all earlier texts. */
export function detailOf(
  box: Box,
  row: HistoryMessageRow,
  marks: readonly HistoryMarkRow[],
): Omit<KeptMessageDetail, 'cursor'> {
  const { text, sender_jid } = contentOf(box, row);
  const edits = editsOf(box, marks, sender_jid);
  const receipts = marks.flatMap(({ kind, author: jid, at }) =>
    kind === 'reaction' || kind === 'edit' ? [] : [{ jid, receipt_type: kind, timestamp_unix: seconds(at) }],
  );
  return {
    ...viewOfMessage(box, row, marks),
    ...(row.from_me === 1 && { receipts }),
    ...(edits.length > 0 && { edits: [{ text, timestamp_unix: seconds(row.at) }, ...edits] }),
  };
}

/** A message that was deleted for everyone has no content. */
function contentOf(box: Box, row: HistoryMessageRow) {
  if (!row.sealed)
    return { sender_jid: '', sender_name: '', type: 'other' as const, text: '', broadcast: false };
  return openMessage(box, row, row.sealed);
}

/** Only the author of a message may change its text. */
function editsOf(box: Box, marks: readonly HistoryMarkRow[], sender: string) {
  return marks.flatMap((mark) => {
    if (mark.kind !== 'edit' || !mark.sealed) return [];
    const { text = '', sender_jid } = openMark(box, mark, mark.sealed);
    return sender_jid === sender ? [{ text, timestamp_unix: seconds(mark.at) }] : [];
  });
}

function reactionsOf(box: Box, marks: readonly HistoryMarkRow[]) {
  return marks.flatMap((mark) => {
    if (mark.kind !== 'reaction' || !mark.sealed) return [];
    const { emoji = '' } = openMark(box, mark, mark.sealed);
    if (emoji === '') return [];
    return [{ jid: mark.author, from_me: mark.from_me === 1, emoji, timestamp_unix: seconds(mark.at) }];
  });
}
