import { createHash } from 'node:crypto';

/** On the wire a poll option is named by the hex SHA-256 of its text. */
export const optionHash = (option: string): string => createHash('sha256').update(option).digest('hex');
