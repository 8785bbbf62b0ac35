import type { Static } from 'typebox';
import { anyOf } from '../schema.ts';
import { contact } from './contact.ts';
import { disappearing } from './disappearing.ts';
import { edit } from './edit.ts';
import { groupInvite } from './group_invite.ts';
import { interactive } from './interactive.ts';
import { location } from './location.ts';
import { media, text } from './plain.ts';
import { poll } from './poll.ts';
import { reaction } from './reaction.ts';
import { revoke } from './revoke.ts';
import { mediaStatus, textStatus } from './status.ts';
import { sticker } from './sticker.ts';

/** All message kinds, in the order of the documentation. Every other list of them is made from this one. */
export const SEND_KINDS = {
  text,
  media,
  location,
  contact,
  reaction,
  revoke,
  sticker,
  edit,
  poll,
  disappearing,
  text_status: textStatus,
  media_status: mediaStatus,
  group_invite: groupInvite,
  interactive,
} as const;
export type SendKindName = keyof typeof SEND_KINDS;

const SCHEMAS = Object.values(SEND_KINDS).map(({ schema }) => schema);

/** Values of `type`; plain text and media have none. */
export const SEND_TYPES = [
  ...new Set(SCHEMAS.flatMap(({ properties }) => ('type' in properties ? [properties.type.const] : []))),
];

export function isSendKind(name: unknown): name is SendKindName {
  return typeof name === 'string' && Object.hasOwn(SEND_KINDS, name);
}

/** Body of a send as documented. */
export const SendBody = anyOf(SCHEMAS, { title: 'SendBody' });
export type SendBody = Static<typeof SendBody>;

type Accepted<R> = R extends { ok: true; value: infer V } ? V : never;
/** Accepted send, discriminated by `kind`, with bare JIDs. */
export type SendRequest = Accepted<ReturnType<(typeof SEND_KINDS)[SendKindName]['parse']>>;
export type SendOf<K extends SendKindName> = Extract<SendRequest, { kind: K }>;
