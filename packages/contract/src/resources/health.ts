import Type from 'typebox';
import { GAP_MAX_SECONDS, NEW_CHATS_PER_DAY_MAX, WARM_UP_MAX_DAYS } from '../limits.ts';
import { UnixSeconds } from '../primitives.ts';
import { kept, named, oneOf } from '../schema.ts';

/** Health of a number with the network. */
export const HEALTH_STATES = ['healthy', 'watch', 'restricted', 'banned', 'unlinked'] as const;
export type HealthState = (typeof HEALTH_STATES)[number];

export const RESTRICTION_KINDS = [
  'reachout_timelock',
  'temporary_ban',
  'new_chat_cap',
  'locked',
  'banned',
] as const;
export type RestrictionKind = (typeof RESTRICTION_KINDS)[number];

export const NEW_CHAT_WARNINGS = ['none', 'first', 'second', 'capped'] as const;
export type NewChatWarning = (typeof NEW_CHAT_WARNINGS)[number];

/** Recommendations with their texts. */
export const HEALTH_ADVICE_TEXTS = {
  stop_new_chats: 'Begin no new chats with this number; answers in known chats still work.',
  slow_down_new_chats: 'Write to fewer new people a day than now.',
  wait_until: 'Wait until the restriction ends; it needs no action.',
  ask_people_to_write_first:
    'Let new people write to this number first, for example by a link or a code that they scan.',
  vary_texts: 'The same text went to many people; write to each of them what concerns them.',
  check_numbers: 'Many people never answer; write only to those who expect it.',
  appeal_on_phone: 'Open the app on the phone of this number, and ask for a review there.',
  link_again: 'Link the number again.',
} as const;
export type HealthAdvice = keyof typeof HEALTH_ADVICE_TEXTS;
export const HEALTH_ADVICE = Object.keys(HEALTH_ADVICE_TEXTS) as [HealthAdvice, ...HealthAdvice[]];

const Time = Type.Integer({ ...UnixSeconds, ...kept });

export const Restriction = Type.Object(
  {
    kind: oneOf(RESTRICTION_KINDS, {
      description:
        '`reachout_timelock`: no new chats for a time. `temporary_ban`: no connection for a time. `new_chat_cap`: the quota of new chats is used up. `locked` and `banned`: for good.',
    }),
    type: Type.Optional(
      Type.String({
        ...kept,
        description: 'The network’s own word for it.',
        examples: ['RESTRICT_ALL_COMPANIONS'],
      }),
    ),
    code: Type.Optional(
      Type.Integer({ ...kept, description: 'The network’s own number for it.', examples: [101] }),
    ),
    ends_unix: Type.Optional(Time),
  },
  { title: 'Restriction' },
);
export type Restriction = Type.Static<typeof Restriction>;

export const NewChats = Type.Object(
  {
    quota: Type.Integer({ ...kept, description: 'New chats in a cycle.', examples: [40] }),
    used: Type.Integer({ ...kept, examples: [12] }),
    cycle_ends_unix: Type.Optional(Time),
    warning: oneOf(NEW_CHAT_WARNINGS),
  },
  { title: 'NewChats' },
);
export type NewChats = Type.Static<typeof NewChats>;

/** Fields of both the resource and the event. */
export const standingFields = {
  state: oneOf(HEALTH_STATES, {
    description:
      '`watch`: signs of trouble. `restricted`: parts of what it does are refused for now. `banned`: the network lets it in for a time, or for good, no more. `unlinked`: no longer linked.',
  }),
  since_unix: Time,
  until_unix: Type.Optional(
    Type.Integer({ ...Time, description: 'Time at which the state ends, where known.' }),
  ),
  restriction: Type.Optional(Restriction),
  new_chats: Type.Optional(NewChats),
};

/** Health of a number without its counts. */
export const NumberStanding = named('NumberStanding', standingFields);
export type NumberStanding = Type.Static<typeof NumberStanding>;

/** Reason why a send to a new contact is held back. */
export const HOLD_REASONS = [
  'reachout_timelock',
  'new_chat_cap',
  'refused_new_chats',
  'new_chat_budget',
] as const;
export type HoldReason = (typeof HOLD_REASONS)[number];

const Count = Type.Integer({ examples: [0] });

/** Daily counts. */
const countFields = {
  sent: Type.Integer({ description: 'Messages that the network took.', examples: [120] }),
  new_chats: Type.Integer({ description: 'People written to for the first time.', examples: [12] }),
  replies: Type.Integer({ description: 'Of those written to first, who answered.', examples: [9] }),
  refused_463_known: Type.Integer({
    description: 'Refused by the network as a new chat though there was one.',
    examples: [0],
  }),
  refused_463_unknown: Type.Integer({ description: 'Refused by the network as a new chat.', examples: [0] }),
  refused_479: Type.Integer({ description: 'Refused by the network as badly addressed.', examples: [0] }),
  rate_overlimit: Type.Integer({ description: 'Questions that the network found too many.', examples: [0] }),
  undecryptable: Type.Integer({ description: 'Messages that had to be asked for again.', examples: [0] }),
  deaf: Type.Integer({
    description: 'Connections that were open but unresponsive, and replaced.',
    examples: [0],
  }),
  disconnects: Count,
  held_back: Type.Integer({ description: 'Sends that were held back to protect the number.', examples: [0] }),
};

export const HealthDay = named('HealthDay', {
  day: Type.String({ description: 'By UTC.', examples: ['2026-07-18'] }),
  ...countFields,
});
export type HealthDay = Type.Static<typeof HealthDay>;

/** Switches per number. */
export const pacingFields = {
  hold_new_chats: Type.Boolean({
    description:
      'Refuse sends to people without a chat while the network does not allow them; answers in known chats go on. On unless switched off.',
  }),
  respect_quota: Type.Boolean({
    description: 'Begin no more new chats than the quota that the network names. On unless switched off.',
  }),
  pause_after_refusals: Type.Boolean({
    description:
      'Begin no new chats for an hour when the network has refused three within an hour. On unless switched off.',
  }),
  daily_new_chats: Type.Integer({
    minimum: 0,
    maximum: NEW_CHATS_PER_DAY_MAX,
    description: 'New chats within 24 hours at most; 0: no limit of our own.',
    examples: [40],
  }),
  warm_up_days: Type.Integer({
    minimum: 0,
    maximum: WARM_UP_MAX_DAYS,
    description:
      'Over so many days after the number was linked, `daily_new_chats` grows from a small part to the whole; 0: the whole from the first day.',
    examples: [14],
  }),
  gap_min_seconds: Type.Integer({
    minimum: 0,
    maximum: GAP_MAX_SECONDS,
    description: 'The shortest pause between messages to different people.',
    examples: [2],
  }),
  gap_max_seconds: Type.Integer({
    minimum: 0,
    maximum: GAP_MAX_SECONDS,
    description: 'The longest; each pause is of a random length between both. 0: none.',
    examples: [8],
  }),
};

export const Pacing = named('Pacing', pacingFields);
export type Pacing = Type.Static<typeof Pacing>;
export const PacingSetting = named('PacingSetting', {
  session_id: Type.String({ examples: ['15550001001:1@s.whatsapp.net'] }),
  ...pacingFields,
});
export type PacingSetting = Type.Static<typeof PacingSetting>;

export const SessionHealth = named('SessionHealth', {
  session_id: Type.String({ examples: ['15550001001:1@s.whatsapp.net'] }),
  ...standingFields,
  last_day: Type.Object(
    {
      ...countFields,
      reply_rate: Type.Optional(
        Type.Number({ description: '`replies` for each of `new_chats`.', examples: [0.75] }),
      ),
    },
    { description: 'Counts of today, by UTC.' },
  ),
  inbound_last_unix: Type.Optional(
    Type.Integer({ ...UnixSeconds, description: 'Time of the last incoming message, to the minute.' }),
  ),
  advice: Type.Array(
    Type.Object({
      code: oneOf(HEALTH_ADVICE),
      text: Type.String({
        description: 'The same for people.',
        examples: [HEALTH_ADVICE_TEXTS.stop_new_chats],
      }),
    }),
    { description: 'What to do; empty when all is well.' },
  ),
  pacing: Type.Object({
    ...pacingFields,
    held_until_unix: Type.Optional(
      Type.Integer({ ...UnixSeconds, description: 'Until then nothing is sent to people without a chat.' }),
    ),
    held_reason: Type.Optional(oneOf(HOLD_REASONS)),
  }),
  days: Type.Array(HealthDay, { description: 'The newest first; a day without any count is left out.' }),
});
export type SessionHealth = Type.Static<typeof SessionHealth>;
