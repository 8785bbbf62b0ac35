import { isLidAddress } from '../jids.ts';
import type { PhoneBook } from '../people/phones.ts';
import type { Actor } from '../types.ts';
import type { AddressRules, Tokens } from './types.ts';

const NO_TOKEN = 463;
const INVALID_STANZA = 479;

/**
 * What the network refuses because of how it is addressed. An account that goes by its LID must write to LIDs; to a number only with the
 * token of whom it belongs to. A token that is there has to be right, whatever the address.
 */
export function createAddressRules({
  phones,
  tokens,
  isStrict,
}: {
  phones: PhoneBook;
  tokens: Tokens;
  isStrict: boolean;
}): AddressRules {
  const isMigrated = ({ phone }: Actor): boolean => phones.person(phone).addressing === 'lid';

  return {
    refusesMessage(sender, to, { trusted, firstContact }) {
      const recipient = phones.find(to)?.phone;
      if (!isStrict || recipient === undefined || recipient === sender.phone) return undefined;
      const isTrusted = trusted !== undefined && tokens.isTrusted(sender.phone, recipient, trusted);
      if (trusted && !isTrusted) return NO_TOKEN;
      if (firstContact && !tokens.isFirstContact(sender.phone, recipient, firstContact)) return NO_TOKEN;
      return isTrusted || isLidAddress(to) || !isMigrated(sender) ? undefined : NO_TOKEN;
    },
    refusesStory: (sender, audience) =>
      isStrict && isMigrated(sender) && !audience.every(isLidAddress) ? INVALID_STANZA : undefined,
  };
}
