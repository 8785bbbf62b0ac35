import { useFastCurve } from './curve.ts';
import { useKeyObjects } from './key-objects.ts';
import { decodeRecordsByStructure, stepSenderKeysOnce } from './sender-keys.ts';
import { keepNewestChains } from './session-records.ts';

export { muteLibsignal } from './libsignal-log-filter.ts';

/**
 * Makes the library cheaper for the whole process. The wire format and the stored format stay compatible with this version and
 * others. Bugs of the library are not repaired here: the gateway and the sandbox are two parties, and each repairs its own.
 */
export function useCheaperSignal(): void {
  useKeyObjects();
  useFastCurve();
  stepSenderKeysOnce();
  decodeRecordsByStructure();
  keepNewestChains();
}
