import { expect, test } from 'vitest';
import { isOneEmoji } from './emoji.ts';

test.each([
  ['a plain one', '👍'],
  ['one with a skin tone', '👍🏽'],
  ['a heart with its variation selector', '❤️'],
  ['a heart without it', '❤'],
  ['a family', '👨‍👩‍👧‍👦'],
  ['a profession with a skin tone', '👩🏾‍🚀'],
  ['a heart on fire', '❤️‍🔥'],
  ['a heart on fire, written shorter', '❤‍🔥'],
  ['a flag', '🇮🇳'],
  ['the flag of a region', '🏴󠁧󠁢󠁥󠁮󠁧󠁿'],
  ['the rainbow flag', '🏳️‍🌈'],
  ['a keycap', '7️⃣'],
  ['a keycap, written shorter', '#⃣'],
])('%s is one emoji: %s', (_what, text) => {
  expect(isOneEmoji(text)).toBe(true);
});

test.each([
  ['nothing', ''],
  ['an ASCII character', 'a'],
  ['a digit', '7'],
  ['a word', 'ok'],
  ['two emoji', '👍👍'],
  ['an emoji and an ASCII character', '👍a'],
  ['a space before', ' 👍'],
  ['two flags', '🇮🇳🇫🇷'],
  ['half a flag', '🇮'],
  ['no flag', '🇽🇽'],
  ['a joiner left over', '👍\u200d'],
  ['a selector alone', '\ufe0f'],
  ['a skin tone twice', '👍🏽🏽'],
])('%s is not one emoji: %j', (_what, text) => {
  expect(isOneEmoji(text)).toBe(false);
});
