import { createHash } from 'node:crypto';

/** The network speaks of poll options by the hex SHA-256 of their text. */
export const optionHash = (option: string): string => createHash('sha256').update(option).digest('hex');
