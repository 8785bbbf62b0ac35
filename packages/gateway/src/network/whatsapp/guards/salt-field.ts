import { proto } from 'baileys';
import { bytesIn } from '../convert/protobuf.ts';

/** `SyncActionValue.nctSaltSyncAction.salt` */
const SALT_ACTION = 80;
const SALT = 1;

/** The entry that holds it; without a salt it says that the phone has none any more. */
export const SALT_INDEX = 'nct_salt_sync';

/** As it stands beside the fields that the library knows. */
export const SALT_NAME = 'nctSalt';

/**
 * The library's schema of what a phone shares with its linked devices lacks the salt for first contacts. Its decoder goes through an
 * exported object, so it is replaced by one that reads that field as well.
 */
export function readSaltField(): void {
  if (installed) return;
  installed = true;
  const decode = proto.SyncActionValue.decode;
  proto.SyncActionValue.decode = (source, length) => {
    const bytes =
      source instanceof Uint8Array
        ? source.subarray(0, length)
        : source.buf.subarray(source.pos, length === undefined ? source.len : source.pos + length);
    const salt = bytesIn(bytesIn(bytes, SALT_ACTION), SALT);
    const value = decode(source, length);
    return salt ? Object.assign(value, { [SALT_NAME]: Uint8Array.from(salt) }) : value;
  };
}

let installed = false;
