import { useCheaperSignal } from '@parley/signal';
import { silenceLibsignal } from './library-log.ts';
import {
  adaptIntroductions,
  readSaltField,
  repairRatchets,
  repairSignatureChecks,
} from './library-patches.ts';

export { closeIfUnresponsive, containFailures, endQuestions } from './failures.ts';
export { keepLateWrites } from './late-writes.ts';
export { createLibraryLog, type Log } from './library-log.ts';
export { isSignedBy, SALT_INDEX, SALT_NAME, trusting } from './library-patches.ts';

/** Repairs the library for the whole process, once. Call it before the first connection. */
export function installGuards(): void {
  silenceLibsignal();
  useCheaperSignal();
  repairSignatureChecks();
  repairRatchets();
  readSaltField();
  adaptIntroductions();
}
