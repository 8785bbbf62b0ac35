import { createHmac } from 'node:crypto';
import type { BinaryNode, SocketConfig } from 'baileys';
import { isTcTokenExpired } from 'baileys/lib/Utils/tc-token-utils.js';
import { warnOf } from '#kernel';
import type { Jid } from '../../content.ts';
import { isLid } from '../convert/index.ts';
import { property } from '../errors.ts';
import { SALT_INDEX, SALT_NAME } from '../guards/index.ts';
import type { Vault } from '../vault/index.ts';

type LibraryLogger = SocketConfig['logger'];

/**
 * Somebody who has never written to this number has given it no token of trust. What stands in for that is made from a salt which the
 * number's phone shares with its linked devices, and from the recipient's address; the network takes a message with neither for unwanted.
 */
export interface FirstContact {
  /** The same log: the library decodes what the phone shares and passes on only what it knows; its log shows all of it. */
  readSalt(logger: LibraryLogger): LibraryLogger;
  /** The phone has told it, in its app state or its history. */
  learnSalt(salt: Uint8Array): Promise<void>;
  /** What goes with a message to this address; nothing where the library attaches the recipient's own token. */
  tokenFor(address: Jid): Promise<readonly BinaryNode[]>;
}

const KIND = 'first-contact-salt';
const SALT = { kind: KIND, id: '' };

export function createFirstContact(vault: () => Pick<Vault, 'read' | 'commit'>): FirstContact {
  async function isTrustedBy(address: Jid): Promise<boolean> {
    const entry = (await vault().read('tctoken', [address])).get(address);
    const token = property(entry, 'token');
    const timestamp = property(entry, 'timestamp');
    return (
      token instanceof Uint8Array &&
      token.length > 0 &&
      (typeof timestamp === 'string' || typeof timestamp === 'number') &&
      !isTcTokenExpired(timestamp)
    );
  }

  async function learnSalt(salt: Uint8Array): Promise<void> {
    if (salt.length > 0) await vault().commit({ puts: [{ ...SALT, value: { salt } }] });
  }

  /** What the phone says of the salt, and of nothing else. */
  async function hear(entry: unknown): Promise<void> {
    if (property(property(entry, 'index'), '0') !== SALT_INDEX) return;
    const salt = property(property(property(entry, 'syncAction'), 'value'), SALT_NAME);
    if (salt instanceof Uint8Array && salt.length > 0) await learnSalt(salt);
    else await vault().commit({ deletes: [SALT] });
  }

  return {
    learnSalt,
    readSalt(logger) {
      const listening: LibraryLogger = {
        ...logger,
        child: () => listening,
        trace(details, message) {
          // A broken vault has closed the session; the phone tells it again to the next link at the latest.
          hear(property(details, 'syncAction')).catch(warnOf('what first messages carry was not kept'));
          logger.trace(details, message);
        },
      };
      return listening;
    },
    async tokenFor(address) {
      if (!isLid(address) || (await isTrustedBy(address))) return [];
      const salt = property((await vault().read(KIND, [SALT.id])).get(SALT.id), 'salt');
      if (!(salt instanceof Uint8Array)) return [];
      const content = createHmac('sha256', salt).update(address).digest();
      return [{ tag: 'cstoken', attrs: {}, content }];
    },
  };
}
