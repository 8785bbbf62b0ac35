import { proto } from 'baileys';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bytesIn, fieldsOf } from './protobuf.ts';

test('reads fields as the library has written them', () => {
  const bytes = proto.Pushname.encode({ id: '1@lid', pushname: 'Ada' }).finish();
  expect(
    [...fieldsOf(bytes)].map(({ field, value }) => [field, Buffer.from(value as Uint8Array).toString()]),
  ).toEqual([
    [1, '1@lid'],
    [2, 'Ada'],
  ]);
  expect(Buffer.from(bytesIn(bytes, 2) ?? []).toString()).toBe('Ada');
  expect(bytesIn(bytes, 3)).toBeUndefined();
});

test('reads numbers of every size', () => {
  const version = 4_294_967_295_000;
  expect([...fieldsOf(proto.SyncdVersion.encode({ version }).finish())]).toEqual([
    { field: 1, value: version },
  ]);
});

test('ends for any bytes, and stays inside them', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      let size = 0;
      for (const { value } of fieldsOf(bytes)) size += typeof value === 'number' ? 1 : value.length;
      expect(size).toBeLessThanOrEqual(bytes.length);
    }),
  );
});
