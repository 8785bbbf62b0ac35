import { type Complaint, complaint } from './validate/complaint.ts';

let oneEmoji: RegExp | undefined;

/** As Unicode recommends it, or as clients shorten it: without variation selectors. Made when it is needed: it takes 25 ms. */
function makeOneEmoji(): RegExp {
  const picture = '\\p{Extended_Pictographic}(?:\\p{Emoji_Modifier}|[\\uFE0E\\uFE0F])?';
  const keycap = '[0-9#*]\\uFE0F?\\u20E3';
  return new RegExp(`^(?:\\p{RGI_Emoji}|${picture}(?:\\u200D${picture})*|${keycap})$`, 'v');
}

export function isOneEmoji(text: string): boolean {
  oneEmoji ??= makeOneEmoji();
  return oneEmoji.test(text);
}

/** What is wrong with the emoji of a reaction; empty takes the reaction back. */
export function emojiComplaint(field: string, text: string): Complaint | null {
  if (text === '' || isOneEmoji(text)) return null;
  return complaint(field, `${field} must be one emoji, or empty to remove the reaction`);
}
