import type { Static, TObject, TSchema } from 'typebox';
import type { ErrorCode } from '../errors.ts';
import type { Feature, Permission } from '../plans.ts';
import type { Right } from '../roles.ts';
import type { Complaint, Parsed } from '../validate/complaint.ts';
import type { Offers } from './offers.ts';

export type Tag =
  | 'Pairing'
  | 'Sessions'
  | 'Groups'
  | 'Contacts and profile'
  | 'Chats'
  | 'Channels'
  | 'Messages'
  | 'Media'
  | 'Webhooks'
  | 'Events'
  | 'Terms of service'
  | 'Operator'
  | 'Portal'
  | 'Health';

/** Resource whose ownership the gateway checks; it answers 403 or 404 before the handler runs. */
export type Subject =
  /** path `{id}` is a session id of the account */
  | 'session'
  /** body `session_id` is a session id of the account */
  | 'body_session'
  /** body `slot_id` is a device of the account */
  | 'slot'
  /** path `{phone}` is a number of the account */
  | 'number'
  | 'onboarding'
  | 'message'
  | 'media'
  | 'webhook'
  | 'api_key'
  | 'member'
  | 'invitation'
  | 'invoice'
  | 'account'
  | 'device';

/** Budgets of a request: the number's send limits and quota, and its slots for parallel actions. */
export type Limit = 'send' | 'network_action';

/** HTTP operation: everything that a router, a validator, a client and a reader need. */
export type Operation = Offers & {
  /** Equal to its key in `operations`. */
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** OpenAPI form: `/v1/sessions/{id}/groups/{group_id}`. */
  readonly path: string;
  readonly summary: string;
  readonly description?: string;
  readonly tag: Tag;
  /** Permission that the API key needs; `none` for any valid key. Only on surface v1. */
  readonly permission?: Permission | 'none';
  /** Right that the member's role needs. Always on surface portal, never elsewhere. */
  readonly right?: Right;
  /** Contains conversations, which a visiting operator must not see. */
  readonly isPrivate?: true;
  readonly limits: readonly Limit[];
  readonly subject?: Subject;
  /** Required state of the session, else 409: `online` = connected; `linked` = connected or reconnecting. Absent = any state. */
  readonly sessionMustBe?: 'online' | 'linked';
  /** Plan feature that the operation needs, where it does not depend on the body. */
  readonly feature?: Feature;
  /** Answered even while terms are pending or the account is suspended. */
  readonly answersBlockedAccounts?: true;
  readonly params?: TObject;
  readonly query?: TObject;
  readonly headers?: TObject;
  readonly body?: TSchema;
  /** True where the body is optional; a missing one counts as `{}`. */
  readonly bodyOptional?: true;
  /** Rule across fields, checked after the schema. */
  readonly bodyRule?: BodyRule;
  /** Replaces the schema as validator; the schema is then documentation only. */
  readonly parseBody?: (body: unknown) => Parsed<unknown>;
  /** The body is a file: raw, or the only file of a form. The handler gets a stream. */
  readonly takesFile?: true;
  /** Longest body, where the schema does not bound it; `bodyLimit` has the bound of every operation. */
  readonly bodyMaxBytes?: number;
  /** Schema of each success, the ordinary one under the lowest status; null = no body. */
  readonly answers: Readonly<Record<number, TSchema | null>>;
  /** Media type of the answer when it is not JSON. */
  readonly answerType?:
    | 'text/event-stream'
    | 'text/plain'
    | 'text/csv'
    | 'application/pdf'
    | 'application/octet-stream';
  /** Second form of the answer, chosen by `Accept`. */
  readonly streamType?: 'text/event-stream';
  /** Supports `Range` requests, answered with 206. */
  readonly answersRanges?: true;
  /** Bound of the lists in an answer without pages, where the query has no `limit`. */
  readonly listBound?: string;
  /** Its own errors; `errorsOf` adds those of its surface. */
  readonly errors: readonly ErrorCode[];
};

/** A method, whose parameters are bivariant, so that each operation can have its own body type. */
type BodyRule = { judge(body: unknown): Complaint | null }['judge'];

export function operation<const O extends Operation>(definition: O): O {
  return definition;
}

type StaticOr<S, Otherwise> = S extends TSchema ? Static<S> : Otherwise;

export type ParamsOf<O extends Operation> = StaticOr<O['params'], Record<never, never>>;
export type QueryOf<O extends Operation> = StaticOr<O['query'], Record<never, never>>;
export type BodyOf<O extends Operation> = O extends { parseBody: (body: unknown) => Parsed<infer B> }
  ? B
  : StaticOr<O['body'], undefined>;
/** Return value of a handler: the body of a success; nothing for 204. */
export type AnswerOf<O extends Operation> = {
  [Status in keyof O['answers']]: StaticOr<O['answers'][Status], undefined>;
}[keyof O['answers']];

/** Statuses of all successes, the ordinary one first. */
export function successStatuses({ answers }: Operation): number[] {
  return Object.keys(answers)
    .map(Number)
    .sort((a, b) => a - b);
}

/** Status of the ordinary success. */
export function successStatus(operation: Operation): number {
  const [status = 200] = successStatuses(operation);
  return status;
}

/** Errors that an operation can answer, shared ones first, in the order of the checks. */
export function errorsOf(operation: Operation): readonly ErrorCode[] {
  return [...new Set([...sharedErrors(operation), ...operation.errors])];
}

function sharedErrors({
  surface,
  permission,
  subject,
  sessionMustBe,
  feature,
  ...rest
}: Operation): ErrorCode[] {
  const errors: ErrorCode[] = [];
  if (surface === 'v1') errors.push('api_key_invalid');
  if (surface === 'operator') errors.push('operator_token_invalid');
  if (surface === 'portal') errors.push('sign_in_required');
  if (surface.startsWith('portal') && rest.method !== 'GET') errors.push('request_forged');
  if ((surface === 'v1' || surface === 'portal') && rest.answersBlockedAccounts === undefined) {
    errors.push('tos_not_accepted', 'account_suspended');
    if (surface === 'portal') errors.push('email_not_verified');
  }
  if (rest.right === 'build' || rest.right === 'administer') errors.push('role_lacks_right');
  if (permission !== undefined && permission !== 'none') errors.push('permission_missing');
  if (rest.body !== undefined)
    errors.push('body_not_json', 'body_too_large', 'too_many_own_bodies', 'too_many_bodies');
  if (rest.body !== undefined || rest.params !== undefined || rest.query !== undefined)
    errors.push('invalid_field');
  if (subject !== undefined) {
    errors.push(SUBJECT_ERRORS[subject]);
    if (surface === 'v1') errors.push('key_restricted');
    if (subject === 'session') errors.push('device_not_active');
  }
  if (feature !== undefined || rest.limits.includes('send')) errors.push('plan_lacks_feature');
  if (sessionMustBe !== undefined) errors.push('session_not_hosted');
  if (rest.limits.includes('send')) errors.push(...SEND_LIMIT_ERRORS);
  if (rest.limits.includes('network_action')) errors.push(...NETWORK_ACTION_ERRORS);
  if (surface !== 'public') errors.push('internal_error');
  return errors;
}

const SUBJECT_ERRORS: Record<Subject, ErrorCode> = {
  session: 'session_not_owned',
  body_session: 'session_not_owned',
  slot: 'device_not_found',
  number: 'device_not_found',
  onboarding: 'onboarding_not_found',
  message: 'message_not_found',
  media: 'media_not_found',
  webhook: 'webhook_not_found',
  api_key: 'api_key_not_found',
  member: 'member_not_found',
  invitation: 'invitation_not_found',
  invoice: 'invoice_not_found',
  account: 'account_not_found',
  device: 'device_not_found',
};

const NETWORK_ACTION_ERRORS = [
  'too_many_actions',
  'host_unreachable',
  'network_unreachable',
  'network_timeout',
  'network_forbids',
  'network_rejects',
] as const satisfies readonly ErrorCode[];

const SEND_LIMIT_ERRORS = [
  'session_rate_exceeded',
  'account_rate_exceeded',
  'cooldown',
  'quota_exhausted',
] as const satisfies readonly ErrorCode[];
