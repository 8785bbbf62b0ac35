import { createHash } from 'node:crypto';
import type { Person } from '../../world/index.ts';

const HASH_BYTES = 6;

/** A person with their device numbers, as in a device list. */
export interface DeviceList {
  readonly person: Person;
  readonly devices: readonly number[];
}

/** The fingerprint of a device list, by which a client detects that its own list is outdated. */
export function participantHash(listed: readonly DeviceList[], by: 'lid' | 'pn'): string {
  const names = listed.flatMap(({ person, devices }) =>
    devices.map((device) =>
      by === 'lid' ? `${person.lid}.0:${device}@lid` : `${person.phone}.0:${device}@s.whatsapp.net`,
    ),
  );
  const digest = createHash('sha256').update(names.sort().join('')).digest();
  return `2:${digest.subarray(0, HASH_BYTES).toString('base64')}`;
}
