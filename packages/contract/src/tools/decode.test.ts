import { createDecipheriv } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { decoded, decodedComponent, parsedJson } from './decode.ts';

/** Error that only a defect throws. */
function mistaken(): never {
  throw new TypeError('undefined is not a function');
}

describe('input from outside', () => {
  it('is decoded when valid', () => {
    expect(parsedJson('{"a":[1]}')).toEqual({ a: [1] });
    expect(parsedJson('{"a":1}', (_key, value) => (value === 1 ? 2 : value))).toEqual({ a: 2 });
    expect(decodedComponent('na%C3%AFve')).toBe('naïve');
    expect(decoded(() => 1)).toBe(1);
  });

  it('is undefined when invalid', () => {
    expect(parsedJson('{"a":')).toBeUndefined();
    const deep = 100_000;
    expect(parsedJson('['.repeat(deep) + ']'.repeat(deep), (_key, value) => value)).toBeUndefined();
    expect(decodedComponent('%E0%A4%A')).toBeUndefined();
    expect(decoded(() => Buffer.alloc(1).readUInt32BE())).toBeUndefined();
    const decipher = createDecipheriv('aes-256-gcm', Buffer.alloc(32), Buffer.alloc(12));
    decipher.setAuthTag(Buffer.alloc(16));
    expect(decoded(() => decipher.final())).toBeUndefined();
  });

  it('hides no defect', () => {
    expect(() => parsedJson('1', mistaken)).toThrow(TypeError);
    expect(() => decoded(mistaken)).toThrow(TypeError);
    const text = { toString: mistaken };
    expect(() => decodedComponent(text as unknown as string)).toThrow(TypeError);
  });
});
