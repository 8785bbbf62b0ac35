import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLongMemberReader } from './long-members.ts';

const KEPT = 16;

/** The remaining JSON, parsed, with the extracted strings put back. */
async function read(json: string | Buffer, cuts: readonly number[] = []): Promise<unknown> {
  const kept: Buffer[] = [];
  const taken = new Map<string, string>();
  const ended = new Set<string>();
  const reader = createLongMemberReader({
    names: new Set(['media', 'content']),
    keptBytes: KEPT,
    open(name, beginning) {
      if (beginning.startsWith('http')) return undefined;
      taken.set(name, '');
      return Promise.resolve({
        write: async (text) => void taken.set(name, taken.get(name) + text),
        end: async () => void ended.add(name),
      });
    },
    keep: (piece) => kept.push(piece),
  });
  const bytes = Buffer.from(json);
  let at = 0;
  for (const cut of [...cuts, bytes.length]) {
    await reader.write(bytes.subarray(at, at + cut));
    at += cut;
  }
  const left = JSON.parse(Buffer.concat(kept).toString());
  for (const [name, text] of taken) {
    expect(left[name]).toBeNull();
    expect(ended).toContain(name);
    left[name] = text;
  }
  return { left, taken: [...taken.keys()] };
}

const latin = fc.string({ unit: fc.constantFrom(...'AZaz09+/= \n"\\{}[],:u'), maxLength: 60 });
const any = fc.jsonValue({ maxDepth: 3 });

describe('long members of JSON', () => {
  it('are extracted, and the rest of the JSON is unchanged, however it is cut and written', async () => {
    const property = fc.asyncProperty(
      fc.record(
        {
          media: fc.oneof(latin, any),
          content: fc.oneof(latin, any),
          other: any,
          deep: fc.record({ media: latin }),
        },
        { requiredKeys: [] },
      ),
      fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 30 }),
      fc.constantFrom(undefined, 1),
      fc.boolean(),
      async (body, cuts, space, escapesMore) => {
        const plain = JSON.stringify(body, null, space);
        // The sign of a number is not written as an escape.
        fc.pre(!/\de\+/.test(plain));
        const json = escapesMore ? plain.replaceAll('/', '\\/').replaceAll('+', '\\u002b') : plain;
        const isTakenOut = ([name, value]: [string, unknown]) =>
          (name === 'media' || name === 'content') && typeof value === 'string' && /^[\0-\x7f]*$/.test(value);
        // Non-ASCII text is no base64: its characters are not kept.
        fc.pre(
          Object.entries(body).every(
            ([, value]) => typeof value !== 'string' || isTakenOut(['media', value]),
          ),
        );
        const { left, taken } = (await read(json, cuts)) as { left: unknown; taken: string[] };
        expect(left).toEqual(JSON.parse(json));
        for (const name of taken)
          expect(isTakenOut([name, (body as Record<string, unknown>)[name]])).toBe(true);
      },
    );
    await fc.assert(property, { numRuns: 500 });
  });

  const long = 'A'.repeat(KEPT + 1);
  it.each([
    ['a short one', `{"media":"${'A'.repeat(KEPT)}"}`, []],
    ['a long one', `{"media":"${long}"}`, ['media']],
    ['one of another name', `{"file":"${long}"}`, []],
    ['one further in', `{"a":{"media":"${long}"},"b":[{"media":"${long}"}]}`, []],
    ['one of a list', `[{"media":"${long}"},"media","${long}"]`, []],
    ['one that is no file by its beginning', `{"media":"https://${long}"}`, []],
    ['one whose name is the value before', `{"a":"media","b":"${long}"}`, []],
    ['the second of two', `{"a":"${long}", "content" : "${long}"}`, ['content']],
  ])('%s', async (_title, json, taken) => {
    expect(await read(json)).toEqual({ left: JSON.parse(json), taken });
    expect(
      await read(
        json,
        Array.from(json, () => 1),
      ),
    ).toEqual({ left: JSON.parse(json), taken });
  });

  it.each([
    `{"media":"${long}`,
    `{"media":"${long}"`,
    `{"media" "${long}"}`,
    `{"media":"${long}\\"}`,
    `{"media":"${long}\\x"}`,
    `{"media":"${long}\\u12"}`,
    `{"media":"${long}""${long}"}`,
    `{,"media":"${long}"}`,
    `"media":"${long}"`,
  ])('make no JSON of %j', async (json) => {
    await expect(read(json)).rejects.toThrow();
    await expect(
      read(
        json,
        Array.from(json, () => 1),
      ),
    ).rejects.toThrow();
  });
});
