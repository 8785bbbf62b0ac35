import Type from 'typebox';
import { UnixSeconds } from '../primitives.ts';
import { kept, oneOf } from '../schema.ts';

/** How a number stands with the network. */
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

/** What to do, each with the sentence that says so to people. */
export const HEALTH_ADVICE_TEXTS = {
  stop_new_chats: 'Write to nobody who has no chat with this number; answers in known chats go on.',
  slow_down_new_chats: 'Write to fewer new people a day than now.',
  wait_until: 'Wait until the restriction ends; it ends by itself.',
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

/** What the resource and the event say alike. */
export const standingFields = {
  state: oneOf(HEALTH_STATES, {
    description:
      '`watch`: signs of trouble. `restricted`: parts of what it does are refused for now. `banned`: the network lets it in for a time, or for good, no more. `unlinked`: no longer linked.',
  }),
  since_unix: Time,
  until_unix: Type.Optional(
    Type.Integer({ ...Time, description: 'When the state ends by itself, where that is known.' }),
  ),
  restriction: Type.Optional(Restriction),
  new_chats: Type.Optional(NewChats),
};
