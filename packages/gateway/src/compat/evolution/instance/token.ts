import { createApiKey, listApiKeyUses } from '#accounts';
import type { Caller, ForeignCall, OwnedNumber } from '#http';
import { type EvolutionContext, SURFACE, type Token } from '../instances.ts';

/** It opens no more, and for no longer, than the key that asked for it. */
export async function makeToken(
  { accounts }: EvolutionContext,
  { caller, key }: ForeignCall,
  { accountId, phone }: OwnedNumber,
  instance: string,
): Promise<Token> {
  const keys = await listApiKeyUses(accounts, accountId);
  const shown = keys.find(({ prefix }) => key.startsWith(`${prefix}_`));
  const permissions = caller.permissions && [...caller.permissions];
  const made = await createApiKey(accounts, 'system', accountId, {
    name: `${SURFACE} ${instance}`.slice(0, 100),
    phone,
    ...(permissions && { permissions }),
    ...(shown?.expires_at && { expires_at: shown.expires_at }),
  });
  return { token: made.api_key, keyId: made.key_id, permissions };
}

/** Nobody learns a token that opens more than the key that was shown. */
export function mayHave(caller: Pick<Caller, 'permissions'>, { permissions }: Token): boolean {
  const own = caller.permissions;
  return own === null || (permissions?.every((each) => own.has(each)) ?? false);
}
