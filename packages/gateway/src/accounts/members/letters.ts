import type { LetterWriters } from '#mail';
import type { MembersContext } from './context.ts';
import { writeRecoveryLetter } from './recovery.ts';

/** Every mail that is about a member. */
export function letterWriters(context: MembersContext): LetterWriters {
  return {
    password: (matter) => writeRecoveryLetter(context, matter),
  };
}
