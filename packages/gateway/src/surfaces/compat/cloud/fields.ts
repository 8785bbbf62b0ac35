import { isGroup, LID_DOMAIN, parseJid, phoneDigits, recipientJid } from '@parley/contract';
import { GraphError, invalid } from './graph-error.ts';

/** Readers of request fields. An invalid value is refused with the field's name. */
export type Fields = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function objectIn(fields: Fields, name: string, path = name): Fields {
  const value = fields[name];
  if (value === undefined || value === null) throw invalid(`The parameter ${path} is required.`);
  if (!isObject(value)) throw invalid(`Param ${path} must be a JSON object.`);
  return value;
}

export function objectsIn(fields: Fields, name: string, path = name): Fields[] {
  const value = fields[name];
  if (!Array.isArray(value) || value.length === 0)
    throw invalid(`Param ${path} must be an array with at least one element.`);
  if (!value.every(isObject)) throw invalid(`Param ${path} must be an array of JSON objects.`);
  return value;
}

/** Clients send absent, null and empty values for the same thing. */
export function textIn(fields: Fields, name: string, path = name): string | undefined {
  const value = fields[name];
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value !== 'string') throw invalid(`Param ${path} must be a string.`);
  return value;
}

export function requiredText(fields: Fields, name: string, path = name): string {
  const value = textIn(fields, name, path);
  if (value === undefined) throw invalid(`The parameter ${path} is required.`);
  return value;
}

/** Some clients send numbers as text. */
export function numberIn(fields: Fields, name: string, path = name): number {
  const value = fields[name];
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isFinite(number))
    throw invalid(`Param ${path} must be a number.`);
  return number;
}

/** File of a message: an uploaded one, or a link. */
export function fileIn(
  media: Fields,
  path: string,
  urlField: 'media_url' | 'sticker_url' = 'media_url',
): Record<string, string> {
  const id = textIn(media, 'id', `${path}['id']`);
  const link = textIn(media, 'link', `${path}['link']`);
  if ((id === undefined) === (link === undefined))
    throw invalid(`Param ${path} must have exactly one of id and link.`);
  return id === undefined ? { [urlField]: link ?? '' } : { media_id: id };
}

/**
 * User id of a person with a hidden number, in the form of the Graph API, with a placeholder for the country. Messages can be sent to it.
 */
const USER_ID = /^[A-Z]{2}\.([0-9]{1,20})$/;

export function userIdOf(lid: string): string | undefined {
  const jid = parseJid(lid);
  return jid?.kind === 'lid' ? `XX.${jid.user}` : undefined;
}

/** Digits of the phone number; undefined when it is hidden. */
export function waIdOf(jid: string): string | undefined {
  const parsed = parseJid(jid);
  return parsed?.kind === 'user' ? parsed.user : undefined;
}

/** Address in a request: `to`, or `recipient` for a person with a hidden number. */
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

/** Address of a person, from a phone number in any spelling or from a user id. */
export function personAddress(input: string): string | undefined {
  const lid = USER_ID.exec(input)?.[1];
  if (lid !== undefined) return `${lid}@${LID_DOMAIN}`;
  return recipientJid(phoneDigits(input) ?? input) ?? undefined;
}
