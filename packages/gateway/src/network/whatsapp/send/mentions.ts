import type { Jid, OutboundContent } from '../../content.ts';
import { digitsOf } from '../convert/index.ts';

/**
 * A chat knows its people by one kind of address, and a phone shows a name where the text has `@` and the digits of an address that is
 * mentioned. So where somebody is named by another address than the caller's, the text is worded by that one too.
 */
export async function withMentionsAddressed(
  content: OutboundContent,
  addressesOf: (jids: readonly Jid[]) => Promise<readonly Jid[]>,
): Promise<OutboundContent> {
  if (!('mentions' in content) || !content.mentions) return content;
  const { mentions: named } = content;
  const mentions = await addressesOf(named);
  const digits = new Map(named.map((jid, place) => [digitsOf(jid), digitsOf(mentions[place] ?? jid)]));
  const worded = (text: string): string =>
    text.replaceAll(/@(\d+)/g, (written, number: string) => {
      const address = digits.get(number);
      return address === undefined ? written : `@${address}`;
    });
  if (content.kind === 'text') return { ...content, mentions, text: worded(content.text) };
  if ('caption' in content && content.caption)
    return { ...content, mentions, caption: worded(content.caption) };
  return { ...content, mentions };
}
