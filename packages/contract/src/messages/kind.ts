import Type, { type Static, type TObject, type TProperties } from 'typebox';
import { bareJid, JID_PATTERNS, recipientJid } from '../jid.ts';
import type { Feature } from '../plans.ts';
import { PersonJid, SessionId } from '../primitives.ts';
import { closed, EXPECTS } from '../schema.ts';
import { compileParse } from '../validate/compile.ts';
import { type Complaint, type Parsed, refused } from '../validate/complaint.ts';
import { type Fields, pickOwn } from '../validate/variants.ts';

/** Accepted as digits, JID or username; a parsed send carries the bare JID, or the username as it was written. */
export const Recipient = Type.String({
  pattern: JID_PATTERNS.recipient,
  description:
    'Phone number in international form, with or without `+`, the JID of a person or group, or `@username`, with its key as `@username:1234` where it has one.',
  examples: ['15550002001'],
  [EXPECTS]: 'a phone number (digits only), the JID of a person or group, or @username',
});

/** Accepted with or without device suffix; a parsed send always carries the bare JID. */
export const Participant = Type.String({ ...PersonJid, description: 'JID of the original sender.' });
const PARTICIPANT_FIELDS = ['quoted_participant', 'reacted_participant', 'revoked_participant'];

/** What every kind but a status starts with. */
export const addressed = { session_id: SessionId, to: Recipient };

type Rule<P extends TProperties> = (send: Static<TObject<P>>) => Complaint | null;

export type SendKind<K extends Feature, P extends TProperties> = {
  /** Also the plan feature that allows it. */
  readonly kind: K;
  readonly summary: string;
  readonly description: string | undefined;
  readonly example: Static<TObject<P>>;
  readonly schema: TObject<P>;
  readonly parse: (fields: Fields) => Parsed<{ readonly kind: K } & Static<TObject<P>>>;
};

/** Defines one kind of message: its exact fields, the rule across them, and how it is told in the documentation. */
export function sendKind<const K extends Feature, P extends TProperties>({
  title,
  properties,
  prepare,
  rule,
  ...texts
}: {
  kind: K;
  title: string;
  summary: string;
  description?: string;
  properties: P;
  example: NoInfer<Static<TObject<P>>>;
  /** Shapes what the schema cannot: runs on the picked fields, before the check. */
  prepare?: (fields: Fields) => Parsed<Fields>;
  /** Runs after the check, on typed fields. */
  rule?: Rule<P>;
}): SendKind<K, P> {
  const { kind, summary, description, example } = texts;
  const schema = closed(properties, { title, description, examples: [example] });
  const check = compileParse(schema);
  return {
    kind,
    summary,
    description,
    example,
    schema,
    parse(fields) {
      const picked = withBareAddresses(pickOwn(schema, fields));
      const prepared = prepare === undefined ? { ok: true as const, value: picked } : prepare(picked);
      if (!prepared.ok) return prepared;
      const checked = check(prepared.value);
      if (!checked.ok) return checked;
      const complaint = rule?.(checked.value) ?? null;
      return complaint === null ? { ok: true, value: { ...checked.value, kind } } : refused(complaint);
    },
  };
}

/** Works on the copy that `pickOwn` made. What is no address at all is left for the check to refuse. */
function withBareAddresses(fields: Fields): Fields {
  if (typeof fields.to === 'string') fields.to = recipientJid(fields.to) ?? fields.to;
  for (const key of PARTICIPANT_FIELDS) {
    const participant = fields[key];
    if (typeof participant === 'string') fields[key] = bareJid(participant);
  }
  return fields;
}
