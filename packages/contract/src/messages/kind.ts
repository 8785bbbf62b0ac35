import Type, { type Static, type TObject, type TProperties } from 'typebox';
import { bareJid, JID_PATTERNS, recipientJid } from '../jid.ts';
import { PersonJid, SessionId } from '../primitives.ts';
import { closed, EXPECTS } from '../schema.ts';
import { compileParse } from '../validate/compile.ts';
import { type Complaint, type Parsed, refused } from '../validate/complaint.ts';
import { type Fields, pickOwn } from '../validate/variants.ts';

/** Accepts digits, JID or username; a parsed send has the bare JID, or the username as written. */
export const Recipient = Type.String({
  pattern: JID_PATTERNS.recipient,
  description:
    'Phone number in international form, with or without `+`, the JID of a person or group, or `@username`, with its key as `@username:1234` where it has one.',
  examples: ['15550002001'],
  [EXPECTS]: 'a phone number (digits only), the JID of a person or group, or @username',
});

/** Accepts a JID with or without device suffix; a parsed send has the bare JID. */
export const Participant = Type.String({ ...PersonJid, description: 'JID of the original sender.' });
const PARTICIPANT_FIELDS = ['quoted_participant', 'reacted_participant', 'revoked_participant'];

/** First fields of every kind but a status. */
export const addressed = { session_id: SessionId, to: Recipient };

type Rule<P extends TProperties> = (send: Static<TObject<P>>) => Complaint | null;

/** Properties of a kind beside its fields. `npm run gen` makes the plain tables and the guide's sections from them. */
interface Texts<K extends string> {
  /** Also the plan feature that allows it. */
  readonly kind: K;
  /** Smallest plan that includes it. */
  readonly plan: 'free' | 'pro' | 'max';
  /** Label in lists of the plan's features. */
  readonly label: string;
  readonly summary: string;
  readonly description?: string;
  /** Text above the example in `docs/messages.md`, in Markdown; null for a section written by hand. */
  readonly guide: string | null;
}

export type SendKind<K extends string, P extends TProperties> = Texts<K> & {
  readonly example: Static<TObject<P>>;
  readonly schema: TObject<P>;
  readonly parse: (fields: Fields) => Parsed<{ readonly kind: K } & Static<TObject<P>>>;
};

/** Defines one message kind: its exact fields, the rule across them, and its documentation. */
export function sendKind<const K extends string, P extends TProperties>({
  title,
  properties,
  prepare,
  rule,
  example,
  ...texts
}: Texts<K> & {
  title: string;
  properties: P;
  example: NoInfer<Static<TObject<P>>>;
  /** Normalizes the picked fields before the check, where the schema cannot. */
  prepare?: (fields: Fields) => Parsed<Fields>;
  /** Runs after the check, on typed fields. */
  rule?: Rule<P>;
}): SendKind<K, P> {
  const { kind, description } = texts;
  const schema = closed(properties, { title, description, examples: [example] });
  const check = compileParse(schema);
  return {
    ...texts,
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

/** Normalizes addresses in the copy that `pickOwn` made; leaves invalid ones for the check. */
function withBareAddresses(fields: Fields): Fields {
  if (typeof fields.to === 'string') fields.to = recipientJid(fields.to) ?? fields.to;
  for (const key of PARTICIPANT_FIELDS) {
    const participant = fields[key];
    if (typeof participant === 'string') fields[key] = bareJid(participant);
  }
  return fields;
}
