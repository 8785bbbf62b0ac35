import type { Jid } from '../../content.ts';
import { digitsOf } from '../convert/index.ts';
import type { Vault } from '../vault/index.ts';

/** Names of people by the digits of their hidden address, and those digits by `@` and the name. */
const KIND = 'username';

const holderOf = (username: string): string => `@${username.toLowerCase()}`;

/** The username of an account, as far as the network has told it. */
export async function usernameOf(vault: Pick<Vault, 'read'>, lid: Jid): Promise<string | undefined> {
  const username = (await vault.read(KIND, [digitsOf(lid)])).get(digitsOf(lid));
  return typeof username === 'string' ? username : undefined;
}

/** Keeps whose a username is; whoever had it before has it no more. */
export async function learnUsername(
  vault: Pick<Vault, 'read' | 'commit'>,
  lid: Jid,
  username: string,
): Promise<void> {
  const digits = digitsOf(lid);
  const found = await vault.read(KIND, [digits, holderOf(username)]);
  const [name, holder] = [found.get(digits), found.get(holderOf(username))];
  if (name === username && holder === digits) return;
  await vault.commit({
    puts: [
      { kind: KIND, id: digits, value: username },
      { kind: KIND, id: holderOf(username), value: digits },
    ],
    deletes: [
      ...(typeof holder === 'string' && holder !== digits ? [{ kind: KIND, id: holder }] : []),
      ...(typeof name === 'string' && holderOf(name) !== holderOf(username)
        ? [{ kind: KIND, id: holderOf(name) }]
        : []),
    ],
  });
}
