import type { proto } from 'baileys';
import type { ContactCard } from '../../content.ts';
import { phonesIn } from '../../vcard.ts';
import { boundedName, boundedText } from './bounds.ts';

const MOST_CARDS = 256;

/** The people whose cards were sent. */
export function contactCards({ contactMessage, contactsArrayMessage }: proto.IMessage): ContactCard[] {
  const cards = contactMessage ? [contactMessage] : (contactsArrayMessage?.contacts ?? []);
  return cards.slice(0, MOST_CARDS).map(({ displayName, vcard }) => {
    const text = boundedText(vcard ?? '');
    return { name: boundedName(displayName ?? ''), phones: phonesIn(text), vcard: text };
  });
}
