import { isGroup, LID_DOMAIN, parseJid, phoneDigits, recipientJid } from '@parley/contract';
import { type Fields, textIn } from './fields.ts';
import { GraphError, invalid } from './graph-error.ts';

/**
 * How this surface names those who hide their number: as the Graph API does, with a country that says nothing. Whoever has one can be
 * written to by it.
 */
const USER_ID = /^[A-Z]{2}\.([0-9]{1,20})$/;

export function userIdOf(lid: string): string | undefined {
  const jid = parseJid(lid);
  return jid?.kind === 'lid' ? `XX.${jid.user}` : undefined;
}

/** Digits of the phone number; undefined where it is hidden. */
export function waIdOf(jid: string): string | undefined {
  const parsed = parseJid(jid);
  return parsed?.kind === 'user' ? parsed.user : undefined;
}

/** The address that a request means: `to`, or `recipient` for those whose number is hidden. */
export function recipientIn(body: Fields): { readonly input: string; readonly jid: string } {
  const input = textIn(body, 'to') ?? textIn(body, 'recipient');
  if (input === undefined) throw invalid('The parameter to is required.');
  const jid = addressOf(input, textIn(body, 'recipient_type') === 'group');
  if (jid === undefined)
    throw new GraphError(131009, 'Param to is no recipient that a message can be sent to.');
  return { input, jid };
}

function addressOf(input: string, group: boolean): string | undefined {
  if (group) {
    const jid = input.includes('@') ? input : `${input}@g.us`;
    return isGroup(jid) ? jid : undefined;
  }
  return personAddress(input);
}

/** A person by phone number, however it is written, or by user id. */
export function personAddress(input: string): string | undefined {
  const lid = USER_ID.exec(input)?.[1];
  if (lid !== undefined) return `${lid}@${LID_DOMAIN}`;
  return recipientJid(phoneDigits(input) ?? input) ?? undefined;
}
