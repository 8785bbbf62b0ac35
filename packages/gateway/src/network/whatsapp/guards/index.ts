import { useCheaperSignal } from '@parley/signal';
import { silenceLibsignal } from './library-log.ts';
import { repairRatchets } from './ratchets.ts';
import { readSaltField } from './salt-field.ts';
import { repairSignatureChecks } from './signatures.ts';

export { survive } from './failures.ts';
export { keepLateWrites } from './late-writes.ts';
export { createLibraryLog, type Log } from './library-log.ts';
export { SALT_INDEX, SALT_NAME } from './salt-field.ts';
export { isSignedBy, trusting } from './signatures.ts';
export { endQuestions } from './unanswered.ts';
export { endUnlessHeard } from './unheard.ts';

/** Must run before the first connection; makes the library safe for the whole process, once. */
export function installGuards(): void {
  silenceLibsignal();
  useCheaperSignal();
  repairSignatureChecks();
  repairRatchets();
  readSaltField();
}
