import { isLidAddress } from '../jids.ts';
import type { PhoneStore } from '../people/phones.ts';
import type { Actor } from '../types.ts';
import type { AddressRules, Tokens } from './types.ts';

const NO_TOKEN = 463;
const INVALID_STANZA = 479;

/**
 * Refusals for the addressing of a message. An account that is addressed by LID must write to LIDs; to a number only with the
 * token of its owner. A token that is present must be valid, whatever the address.
 */
export function createAddressRules({
  phones,
  tokens,
  isStrict,
}: {
  phones: PhoneStore;
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
