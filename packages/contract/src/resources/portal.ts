import Type from 'typebox';
import { EVENT_KINDS } from '../events/kinds.ts';
import { IsoTime, Phone, UnixSeconds } from '../primitives.ts';
import { MEMBER_ROLES } from '../roles.ts';
import { hasMore, named, nextCursor, nullable, oneOf } from '../schema.ts';
import { AccountDeletion, AccountVisit } from './account-life.ts';
import { NumberStanding } from './health.ts';
import { MessageRecord } from './messages.ts';
import { ACCOUNT_STATUSES, ApiKey, Device, Member } from './operator.ts';
import { Session, Terms } from './sessions.ts';
import { RedactedEvent } from './webhooks.ts';

export const PortalEntrance = named('PortalEntrance', {
  sign_up: Type.Boolean({ description: 'Whether visitors can create an account.' }),
  operator: Type.Boolean({ description: 'There is an operator who could sign in.' }),
  sandbox: Type.Boolean({ description: 'Owners may use the sandbox.' }),
  mail: Type.Boolean({ description: 'The gateway sends mail: a lost password can be recovered by it.' }),
  signed_in: Type.Object({ owner: Type.Boolean(), operator: Type.Boolean() }),
});
export type PortalEntrance = Type.Static<typeof PortalEntrance>;

const owner = {
  account_id: Type.String({ examples: ['acc_01j9z6m4k2'] }),
  name: Type.String(),
  email: Type.String(),
};
export const SignedIn = named('SignedIn', owner);
export type SignedIn = Type.Static<typeof SignedIn>;

export const LinkOpened = named('LinkOpened', {
  email: Type.String({ description: 'Whom the link was made for.' }),
  name: Type.String(),
});
export type LinkOpened = Type.Static<typeof LinkOpened>;

export const Me = named('Me', {
  ...owner,
  member_id: Type.String({ examples: ['mem_01j9z6m4k2'] }),
  role: oneOf(MEMBER_ROLES),
  status: oneOf(ACCOUNT_STATUSES),
  blocked: nullable(oneOf(['tos_not_accepted', 'account_suspended', 'email_not_verified']), {
    description: 'Why everything else answers 403 at the moment.',
  }),
  terms: Terms,
  visit: nullable(AccountVisit, {
    description: 'Null, unless it is the operator who looks at the account; then nothing can be changed.',
  }),
  deletion: nullable(AccountDeletion, { description: 'Null: the account stays.' }),
});
export type Me = Type.Static<typeof Me>;

const invitation = {
  invitation_id: Type.String({ examples: ['invt_01j9z6m4k2'] }),
  email: Type.String(),
  role: oneOf(MEMBER_ROLES),
  expires_at: IsoTime,
};
export const Team = named('Team', {
  members: Type.Array(Member, { description: 'In the order in which they joined.' }),
  invitations: Type.Array(Type.Object(invitation), { description: 'Those that are still good.' }),
});
export type Team = Type.Static<typeof Team>;

export const InvitationMade = named('InvitationMade', {
  ...invitation,
  url: Type.Optional(Type.String({ description: 'By link only. Good once, and shown only now.' })),
});
export type InvitationMade = Type.Static<typeof InvitationMade>;

export const InvitationOpened = named('InvitationOpened', {
  account: Type.String({ description: 'Its name.' }),
  email: Type.String(),
  role: oneOf(MEMBER_ROLES),
});
export type InvitationOpened = Type.Static<typeof InvitationOpened>;

export const TwoFactor = named('TwoFactor', {
  enabled: Type.Boolean(),
  recovery_codes_left: Type.Integer(),
});
export type TwoFactor = Type.Static<typeof TwoFactor>;

export const TwoFactorBegun = named('TwoFactorBegun', {
  secret: Type.String({ description: 'In base 32, to be typed into an app that cannot scan.' }),
  uri: Type.String({ description: 'The same as an `otpauth://` URI, to be scanned.' }),
});
export type TwoFactorBegun = Type.Static<typeof TwoFactorBegun>;

export const RecoveryCodes = named('RecoveryCodes', {
  recovery_codes: Type.Array(Type.String(), {
    description: 'Each stands in for the authenticator app once. Shown only now.',
  }),
});
export type RecoveryCodes = Type.Static<typeof RecoveryCodes>;

export const BrowserSessionList = named('BrowserSessionList', {
  sessions: Type.Array(
    Type.Object({
      session_id: Type.String(),
      browser: nullable(Type.String(), { description: 'What it calls itself.' }),
      address: nullable(Type.String(), { description: 'Where it signed in from.' }),
      signed_in_at: IsoTime,
      seen_at: IsoTime,
      current: Type.Boolean({ description: 'The one that asks.' }),
    }),
    { description: 'Seen last first.' },
  ),
  has_more: hasMore,
});
export type BrowserSessionList = Type.Static<typeof BrowserSessionList>;

export const SendingState = named('SendingState', {
  per_minute: Type.Integer({ description: 'What the plan allows.' }),
  remaining: Type.Integer({ description: 'How many could go right now, by the tightest limit.' }),
  reset_seconds: Type.Integer({ description: 'Until that limit is whole again.' }),
  consecutive: Type.Integer({ description: 'Messages without a gap of a minute, so far.' }),
  paused_until_unix: nullable(UnixSeconds, { description: 'The end of a cooldown.' }),
  queued: Type.Integer({ description: 'Accepted and not on the network yet.' }),
});
export type SendingState = Type.Static<typeof SendingState>;

export const PortalNumber = named('PortalNumber', {
  ...Device.properties,
  session: nullable(Session, { description: 'Null when the number is not linked.' }),
  health: Type.Optional(NumberStanding),
  sending: SendingState,
});
export type PortalNumber = Type.Static<typeof PortalNumber>;
export const PortalNumberList = named('PortalNumberList', {
  numbers: Type.Array(PortalNumber),
  next_cursor: nextCursor,
});

export const MessageList = named('MessageList', {
  messages: Type.Array(MessageRecord, { description: 'Newest first.' }),
});

export const API_KEY_STATUSES = ['active', 'expired', 'revoked'] as const;

export const ApiKeyUse = named('ApiKeyUse', {
  ...ApiKey.properties,
  created_at: IsoTime,
  last_used_at: nullable(IsoTime, { description: 'To the minute.' }),
  status: oneOf(API_KEY_STATUSES),
  ended_at: nullable(IsoTime, { description: 'When it was revoked, or expired.' }),
});
export type ApiKeyUse = Type.Static<typeof ApiKeyUse>;
export const ApiKeyUseList = named('ApiKeyUseList', {
  api_keys: Type.Array(ApiKeyUse),
  next_cursor: nextCursor,
});

export const STATS_BUCKETS = ['hour', 'day'] as const;
export type StatsBucket = (typeof STATS_BUCKETS)[number];

const deliveryFigures = {
  delivered: Type.Integer({ description: 'Attempts that the receiver answered with 2xx.' }),
  failed: Type.Integer({ description: 'All other attempts.' }),
  median_ms: nullable(Type.Integer(), { description: 'Time that attempts took; null without any.' }),
  slowest_ms: nullable(Type.Integer(), { description: '95 in 100 were faster.' }),
};
export const DeliveryStats = named('DeliveryStats', {
  bucket: oneOf(STATS_BUCKETS),
  total: Type.Object(deliveryFigures),
  waiting: Type.Integer({ description: 'Deliveries still to be made.' }),
  dead: Type.Integer({ description: 'Deliveries of which every attempt failed.' }),
  buckets: Type.Array(Type.Object({ start_unix: UnixSeconds, ...deliveryFigures }), {
    description: 'Oldest first, empty ones included.',
  }),
});
export type DeliveryStats = Type.Static<typeof DeliveryStats>;

export const ActivityPage = named('ActivityPage', {
  events: Type.Array(
    Type.Object({
      event_id: Type.String(),
      cursor: Type.String({ description: 'As `before`: older ones; as `after` of the stream: newer ones.' }),
      phone: Phone,
      kind: oneOf(EVENT_KINDS),
      at_unix: UnixSeconds,
      event: RedactedEvent,
    }),
    { description: 'Newest first.' },
  ),
});
export type ActivityPage = Type.Static<typeof ActivityPage>;

export const SandboxAnswer = named('SandboxAnswer', {
  status: Type.Integer({ description: 'The status that the sandbox answered with.' }),
  body: Type.Unknown({ description: 'Its JSON; null where it has none.' }),
});
export type SandboxAnswer = Type.Static<typeof SandboxAnswer>;
