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
 * Tokens for first messages. A person who has never written to this number has given it no trusted-contact
 * token. Its substitute is derived from a salt that the number's phone shares with its linked devices, and from
 * the recipient's address. The network treats a message with neither as unwanted.
 */
export interface FirstContact {
  /**
   * Wraps the log: the library decodes what the phone shares and emits only the fields that it knows, but logs
   * all of them.
   */
  readSalt(logger: LibraryLogger): LibraryLogger;
  /** Stores the salt, from the phone's app state or its history. */
  learnSalt(salt: Uint8Array): Promise<void>;
  /** Nodes for a message to this address; empty where the library attaches the recipient's own token. */
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

  /** Reads the salt from an entry of the phone's state; ignores other entries. */
  async function handleSyncAction(entry: unknown): Promise<void> {
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
          // A broken vault has closed the session; the phone sends the salt to the next link at the latest.
          handleSyncAction(property(details, 'syncAction')).catch(
            warnOf('the salt for first messages could not be stored'),
          );
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
