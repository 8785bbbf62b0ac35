import { oneLine, operations, type Permission, type Session } from '@parley/contract';
import Type from 'typebox';
import {
  type ForeignAnswer,
  type ForeignCall,
  type ForeignEndpoint,
  type ForeignInput,
  foreignEndpoint,
} from '#http';
import { Fault } from '#kernel';
import type { CompatContext } from '../context.ts';
import { createNames, type Named, type Names } from '../names/names.ts';
import { INSTANCE_NAME_MAX_LENGTH } from './instance/name.ts';
import { notFound } from './refusals.ts';

/** What an instance may be told to do by itself. */
export interface Settings {
  readonly rejectCall: boolean;
  readonly groupsIgnore: boolean;
  readonly syncFullHistory: boolean;
}

/** A key for one number alone, which clients of this interface are told as the instance's own. */
export interface Token {
  readonly token: string;
  readonly keyId: string;
  /** What it opens; null: everything about its number. */
  readonly permissions: readonly Permission[] | null;
}

/** What is remembered of an instance. */
interface Remembered extends Token {
  readonly settings: Settings;
  /** The attempt to link it that was begun last. */
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

export type InstanceCall<I extends ForeignInput = ForeignInput> = ForeignCall<I> & {
  readonly instance: Instance;
};

export interface InstanceEndpoint<I extends ForeignInput = ForeignInput>
  extends Pick<ForeignEndpoint<I>, 'permission' | 'input' | 'bodyMaxBytes' | 'pageMax' | 'fileFields'> {
  /** It is asked for often, and changes nothing that is remembered: the instance may be known from a moment ago. */
  readonly isHot?: true;
}

/** An endpoint whose path ends with the name of an instance, which is looked up before the body is read. */
export function onInstance<I extends ForeignInput>(
  { instances }: EvolutionContext,
  [method, path]: readonly [ForeignEndpoint['method'], string],
  handle: (call: InstanceCall<I>) => Promise<ForeignAnswer>,
  { isHot, ...declared }: InstanceEndpoint<I> = {},
): ForeignEndpoint {
  return foreignEndpoint<I, Instance>({
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

/** How `/v1` names the session of an instance. */
export function sessionOf({ number }: Instance): string {
  return `${number.phone}@s.whatsapp.net`;
}

/** Undefined while it is not linked. */
export async function linkOf(call: Pick<InstanceCall, 'instance' | 'invoke'>): Promise<Session | undefined> {
  try {
    return await call.invoke(operations.getSession, { params: { id: sessionOf(call.instance) } });
  } catch (error) {
    if (error instanceof Fault && error.code === 'session_not_found') return undefined;
    throw error;
  }
}

export type State = 'open' | 'connecting' | 'close';

export function stateOf(session: Pick<Session, 'status'> | undefined): State {
  if (session?.status === 'connected') return 'open';
  return session?.status === 'reconnecting' ? 'connecting' : 'close';
}
