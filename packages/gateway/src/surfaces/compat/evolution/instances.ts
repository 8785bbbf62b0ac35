import { oneLine, operations, type Permission, type Session } from '@parley/contract';
import Type from 'typebox';
import { type Actor, addApiKey, revokeKeysBelongingTo } from '#accounts';
import { ApiError } from '#kernel';
import {
  type Caller,
  type CompatEndpoint,
  type CompatInput,
  type CompatRequest,
  type CompatResponse,
  compatEndpoint,
  type KeyHolder,
  type OwnedNumber,
} from '#platform/http';
import type { Writer } from '#platform/store';
import type { CompatContext } from '../context.ts';
import { createNames, type Named, type Names } from '../names/names.ts';
import { notFound } from './refusals.ts';

export const INSTANCE_NAME_MAX_LENGTH = 100;

/** Control characters, line breaks and direction overrides: a name is shown on one line, beside others. */
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\u{200e}\u{200f}\u{202a}-\u{202e}\u{2066}-\u{2069}]/u;

/**
 * Whether an instance may have this name. Names are path segments: proxies and clients read a slash, or dots alone, as steps between
 * folders, however they are encoded.
 */
export function isInstanceName(name: string): boolean {
  return (
    name.trim() !== '' &&
    name.length <= INSTANCE_NAME_MAX_LENGTH &&
    name.isWellFormed() &&
    !UNPRINTABLE.test(name) &&
    !/[/\\]/.test(name) &&
    !/^\.{1,2}$/.test(name)
  );
}

export const NAME_RULE = `1 to ${INSTANCE_NAME_MAX_LENGTH} characters, without slashes and control characters`;

/** What an instance does automatically. */
export interface Settings {
  readonly rejectCall: boolean;
  readonly groupsIgnore: boolean;
  readonly syncFullHistory: boolean;
}

/** Key for one number alone, which clients of this interface know as the instance's key. */
export interface Token {
  readonly token: string;
  readonly keyId: string;
  /** Rights of the key; null: everything about its number. */
  readonly permissions: readonly Permission[] | null;
}

/** Data that is stored with the name of an instance. */
interface Remembered extends Token {
  readonly settings: Settings;
  /** Id of the latest onboarding. */
  readonly onboarding?: string;
}

export type Instance = Named<Remembered>;
type Instances = Names<Remembered>;

export const SURFACE = 'evolution';

export interface EvolutionContext extends CompatContext {
  readonly instances: Instances;
}

export function withInstances(context: CompatContext): EvolutionContext {
  return { ...context, instances: createNames<Remembered>(SURFACE, context) };
}

const InstancePath = Type.Object({
  instance: Type.String({ maxLength: INSTANCE_NAME_MAX_LENGTH, ...oneLine }),
});

export type InstanceCall<I extends CompatInput = CompatInput> = CompatRequest<I> & {
  readonly instance: Instance;
};

export interface InstanceEndpoint<I extends CompatInput = CompatInput>
  extends Pick<CompatEndpoint<I>, 'permission' | 'input' | 'bodyMaxBytes' | 'pageMax' | 'fileFields'> {
  /** Frequent and read-only, so the instance may come from memory. */
  readonly isHot?: true;
}

/** Defines an endpoint whose path ends with the name of an instance. The instance is looked up before the body is read. */
export function onInstance<I extends CompatInput>(
  { instances }: EvolutionContext,
  [method, path]: readonly [CompatEndpoint['method'], string],
  handle: (call: InstanceCall<I>) => Promise<CompatResponse>,
  { isHot, ...declared }: InstanceEndpoint<I> = {},
): CompatEndpoint {
  return compatEndpoint<I, Instance>({
    id: path.split('/').at(-1) ?? path,
    method,
    path: `${path}/:instance`,
    ...declared,
    ...(declared.input && { input: { params: InstancePath, ...declared.input } }),
    async find({ caller, params: { instance: name = '' } }) {
      const instance = await (isHot ? instances.lately : instances).find(caller, name);
      if (!instance) throw notFound(`The "${name}" instance does not exist`);
      return instance;
    },
    handle: (call) => handle({ ...call, instance: call.subject }),
  });
}

/** Name of an instance's session in `/v1`. */
export function sessionOf({ number }: Instance): string {
  return `${number.phone}@s.whatsapp.net`;
}

/** Undefined while the instance is not linked. */
export async function linkOf(call: Pick<InstanceCall, 'instance' | 'invoke'>): Promise<Session | undefined> {
  try {
    return await call.invoke(operations.getSession, { params: { id: sessionOf(call.instance) } });
  } catch (error) {
    if (error instanceof ApiError && error.code === 'session_not_found') return undefined;
    throw error;
  }
}

export type State = 'open' | 'connecting' | 'close';

export function stateOf(session: Pick<Session, 'status'> | undefined): State {
  if (session?.status === 'connected') return 'open';
  return session?.status === 'reconnecting' ? 'connecting' : 'close';
}

/** Creator of a token: a key, whose rights and lifetime limit those of the token, or the operator. */
interface TokenMaker {
  readonly actor: Actor;
  readonly parentKeyId?: string;
  /** Null: all rights. */
  readonly permissions: readonly Permission[] | null;
}

export function keyAsMaker({ keyId, permissions }: KeyHolder): TokenMaker {
  return { actor: `key:${keyId}`, parentKeyId: keyId, permissions: permissions && [...permissions] };
}

/** Creates the key of an instance, for its number alone. It is valid as long as the instance exists. */
export async function makeToken(
  trx: Writer,
  { accounts }: Pick<EvolutionContext, 'accounts'>,
  { actor, parentKeyId, permissions }: TokenMaker,
  { accountId, phone, slotId }: OwnedNumber,
  instance: string,
): Promise<Token> {
  const { api_key, key_id } = await addApiKey(trx, accounts, actor, {
    accountId,
    name: `${SURFACE} ${instance}`.slice(0, 100).toWellFormed(),
    phone,
    permissions: permissions ?? undefined,
    parentKeyId,
    belongsTo: holderOf(slotId),
  });
  return { token: api_key, keyId: key_id, permissions };
}

/** Includes the keys that were rolled from it. */
export async function endTokens(
  trx: Writer,
  { accounts }: Pick<EvolutionContext, 'accounts'>,
  actor: Actor,
  { number: { accountId, slotId }, remembered: { keyId } }: Instance,
): Promise<void> {
  const held = { accountId, belongsTo: holderOf(slotId), alsoKeyId: keyId };
  await revokeKeysBelongingTo(trx, accounts, actor, held);
}

function holderOf(slotId: string): string {
  return `${SURFACE} ${slotId}`;
}

/** A token is shown only to a key with at least its rights. */
export function mayHave(caller: Pick<Caller, 'permissions'>, { permissions }: Token): boolean {
  const own = caller.permissions;
  return own === null || (permissions?.every((each) => own.has(each)) ?? false);
}
