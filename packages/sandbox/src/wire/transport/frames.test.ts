import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createFrameReader, encodeFrame, FrameError } from './frames.ts';

const intro = Buffer.from('57410603', 'hex');
const reader = () => createFrameReader({ maxFrameBytes: 1000 });
const texts = (frames: Buffer[]) => frames.map((frame) => frame.toString());

describe('frames', () => {
  it('begin with three bytes of length', () => {
    expect(encodeFrame(Buffer.from('abc')).toString('hex')).toBe('000003616263');
    expect(encodeFrame(Buffer.alloc(70_000)).subarray(0, 3).toString('hex')).toBe('011170');
  });

  it('follow an intro, with or without routing info before it', () => {
    const frame = Buffer.from('000003616263', 'hex');
    expect(texts(reader().push(Buffer.concat([intro, frame])))).toEqual(['abc']);
    const routing = Buffer.from('45440001000002ffff', 'hex');
    expect(texts(reader().push(Buffer.concat([routing, intro, frame])))).toEqual(['abc']);
  });

  it('announce the dictionary in their intro', () => {
    const [old, current] = [reader(), reader()];
    old.push(Buffer.from('57410602', 'hex'));
    current.push(intro);
    expect([old.dictionary, current.dictionary]).toEqual([2, 3]);
    expect([old.header, current.header].map((header) => header.at(-1))).toEqual([2, 3]);
  });

  it('are the same however the stream is split', () => {
    fc.assert(
      fc.property(
        fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 5 }),
        fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 50 }),
        (payloads, cuts) => {
          const stream = Buffer.concat([intro, ...payloads.map(encodeFrame)]);
          const frames: Buffer[] = [];
          const cut = reader();
          for (let at = 0, turn = 0; at < stream.length; turn += 1) {
            const size = cuts[turn % cuts.length] ?? 1;
            frames.push(...cut.push(stream.subarray(at, at + size)));
            at += size;
          }
          expect(frames).toEqual(payloads.map((payload) => Buffer.from(payload)));
        },
      ),
    );
  });

  it('are refused when they are too long, or after an unknown intro', () => {
    expect(() => reader().push(Buffer.concat([intro, Buffer.from('ffffff', 'hex')]))).toThrow(FrameError);
    expect(() => reader().push(Buffer.from('GET / HTTP/1.1'))).toThrow(FrameError);
    expect(() => reader().push(Buffer.from('57410609', 'hex'))).toThrow(FrameError);
    expect(() => reader().push(Buffer.from('45440001ffffff', 'hex'))).toThrow(FrameError);
  });
});
