import { type Complaint, complaint } from './validate/complaint.ts';

let oneEmoji: RegExp | undefined;

/**
 * Matches emoji as recommended by Unicode, or shortened by clients without variation selectors. Compiled on first use: it takes
 * 25 ms.
 */
function makeOneEmoji(): RegExp {
  const picture = '\\p{Extended_Pictographic}(?:\\p{Emoji_Modifier}|[\\uFE0E\\uFE0F])?';
  const keycap = '[0-9#*]\\uFE0F?\\u20E3';
  return new RegExp(`^(?:\\p{RGI_Emoji}|${picture}(?:\\u200D${picture})*|${keycap})$`, 'v');
}

export function isOneEmoji(text: string): boolean {
  oneEmoji ??= makeOneEmoji();
  return oneEmoji.test(text);
}

/** Explains why a reaction is no single emoji; empty removes the reaction. */
export function emojiComplaint(field: string, text: string): Complaint | null {
  if (text === '' || isOneEmoji(text)) return null;
  return complaint(field, `${field} must be one emoji, or empty to remove the reaction`);
}
