import type { Permission } from '@parley/contract';
import { type Actor, addApiKey, revokeKeysBelongingTo } from '#accounts';
import type { Caller, KeyHolder, OwnedNumber } from '#http';
import type { Writer } from '#store';
import { type EvolutionContext, type Instance, SURFACE, type Token } from '../instances.ts';

/** Who makes a token: a key, which it ends with and never opens more than; or the operator. */
export interface TokenMaker {
  readonly actor: Actor;
  readonly parentKeyId?: string;
  /** Null: all of them. */
  readonly permissions: readonly Permission[] | null;
}

export function keyAsMaker({ keyId, permissions }: KeyHolder): TokenMaker {
  return { actor: `key:${keyId}`, parentKeyId: keyId, permissions: permissions && [...permissions] };
}

/** The key of an instance: for its number alone, and only as long as there is the instance. */
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

/** Also those that were rolled from it. */
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

/** Nobody learns a token that opens more than the key that was shown. */
export function mayHave(caller: Pick<Caller, 'permissions'>, { permissions }: Token): boolean {
  const own = caller.permissions;
  return own === null || (permissions?.every((each) => own.has(each)) ?? false);
}
