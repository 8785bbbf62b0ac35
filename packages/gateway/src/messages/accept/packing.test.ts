import { expect, it } from 'vitest';
import { itemOf } from '../testing/rows.ts';
import { sendPacking } from './packing.ts';

it('arrives as it left, every byte of it', () => {
  const sealed = Uint8Array.from(Array.from({ length: 256 }, (_, byte) => byte));
  const sent = itemOf(
    { accountId: 'acc_1', slotId: 'slot_1', phone: '15550001001', plan: 'max' },
    { sealed, to: '‮né 🙂', idempotencyKey: 'of the caller' },
  );
  expect(sendPacking.unpack(sendPacking.pack(sent))).toEqual(sent);
});
