import fc from 'fast-check';
import Type from 'typebox';
import { describe, expect, test } from 'vitest';
import { operations } from '../operations/index.ts';
import type { Operation } from '../operations/operation.ts';
import { closed, EXPECTS, KEEPS_EMPTY, nullable, oneOf } from '../schema.ts';
import { compileCheck } from './compile.ts';
import { compileRequest } from './request.ts';
import { coerceQuery, dropEmptyOptionals } from './tidy.ts';

const Order = closed({
  id: Type.String({ minLength: 1, maxLength: 5 }),
  amount: Type.Number({ minimum: -90, maximum: 90 }),
  count: Type.Optional(Type.Integer({ minimum: 1 })),
  size: Type.Optional(oneOf(['s', 'm'])),
  gift: Type.Optional(Type.Boolean()),
  agreed: Type.Optional(Type.Literal(true)),
  colour: Type.Optional(Type.String({ pattern: '^#', [EXPECTS]: 'a colour such as #fff' })),
  note: Type.Optional(Type.String({ [KEEPS_EMPTY]: true })),
  lines: Type.Optional(
    Type.Array(closed({ sku: Type.String(), hint: Type.Optional(Type.String()) }), {
      minItems: 1,
      maxItems: 2,
    }),
  ),
  tags: Type.Optional(Type.Array(Type.String(), { uniqueItems: true })),
});
const check = compileCheck(Order);
const valid = { id: 'a1', amount: 3 };

describe('one plain sentence that names the field', () => {
  test.each<[unknown, string, string]>([
    [null, 'body', 'body must be a JSON object'],
    [[], 'body', 'body must be a JSON object'],
    ['text', 'body', 'body must be a JSON object'],
    [{ amount: 3 }, 'id', 'id is required'],
    [{ ...valid, id: '' }, 'id', 'id must not be empty'],
    [{ ...valid, id: 7 }, 'id', 'id must be a string'],
    [{ ...valid, id: 'abcdef' }, 'id', 'id must be at most 5 characters'],
    [{ ...valid, amount: '3' }, 'amount', 'amount must be a number between -90 and 90'],
    [{ ...valid, amount: 91 }, 'amount', 'amount must be a number between -90 and 90'],
    [{ ...valid, count: 0 }, 'count', 'count must be an integer of at least 1'],
    [{ ...valid, count: 1.5 }, 'count', 'count must be an integer of at least 1'],
    [{ ...valid, size: 'xl' }, 'size', 'size must be one of s, m'],
    [{ ...valid, gift: 'yes' }, 'gift', 'gift must be true or false'],
    [{ ...valid, agreed: false }, 'agreed', 'agreed must be true'],
    [{ ...valid, colour: 'red' }, 'colour', 'colour must be a colour such as #fff'],
    [{ ...valid, lines: 'x' }, 'lines', 'lines must be an array'],
    [{ ...valid, lines: [] }, 'lines', 'lines must have 1 to 2 items'],
    [{ ...valid, lines: [{ sku: 'a' }, {}] }, 'lines[1].sku', 'lines[1].sku is required'],
    [{ ...valid, lines: [{ sku: 'a', skus: 1 }] }, 'lines[0].skus', 'unknown field lines[0].skus'],
    [{ ...valid, tags: ['a', 'a'] }, 'tags', 'tags must not repeat an item'],
    [{ ...valid, amuont: 3 }, 'amuont', 'unknown field amuont'],
    [{ idd: 'a1', amount: 3 }, 'idd', 'unknown field idd'],
    [{ ...valid, '': 1 }, '""', 'unknown field ""'],
    [{ ...valid, 'a\nb': 1 }, '"a\\nb"', 'unknown field "a\\nb"'],
    [{ ...valid, ['x'.repeat(500)]: 1 }, `"${'x'.repeat(64)}"`, `unknown field "${'x'.repeat(64)}"`],
    [JSON.parse('{"id":"a1","amount":3,"__proto__":{}}'), '__proto__', 'unknown field __proto__'],
  ])('%j → %s', (value, field, text) => {
    expect(check(value)).toEqual({ field, text });
  });

  test('names all fields when at least one of them is required', () => {
    const settings = compileCheck(operations.changeGroupSettings.body);
    expect(settings({})).toEqual({
      field: 'announce',
      text: 'announce or locked or join_approval or members_add or ephemeral_seconds is required',
    });
    expect(settings({ locked: false })).toBeNull();
  });

  test('is absent for valid input', () => {
    expect(check({ ...valid, count: 2, size: 's', gift: true, note: '', lines: [{ sku: 'x' }] })).toBeNull();
  });
});

describe('empty strings', () => {
  test('count as absent in optional fields, at any depth, without changing the input', () => {
    const body = { ...valid, size: '', gift: '', note: '', lines: [{ sku: '', hint: '' }] };
    const copy = structuredClone(body);
    expect(dropEmptyOptionals(Order, body)).toEqual({ ...valid, note: '', lines: [{ sku: '' }] });
    expect(body).toEqual(copy);
  });

  test('stay where empty has a meaning', () => {
    const update = compileRequest(operations.updateWebhook);
    const result = update({ params: { id: 'wh_1' }, query: {}, body: { status_url: '', active: true } });
    expect(result).toMatchObject({ ok: true, value: { body: { status_url: '', active: true } } });
    const create = compileRequest(operations.createWebhook);
    const created = create({ params: {}, query: {}, body: { session_id: 's', status_url: '' } });
    expect(created).toMatchObject({ ok: true, value: { body: { session_id: 's' } } });
    expect(created.ok && created.value.body).not.toHaveProperty('status_url');
  });

  test('keep unknown fields, so that the check can refuse them', () => {
    expect(dropEmptyOptionals(Order, { ...valid, typo: '' })).toHaveProperty('typo', '');
  });
});

describe('null', () => {
  test('counts as absent, at any depth, also where empty has a meaning', () => {
    const body = { ...valid, count: null, note: null, size: null, lines: [{ sku: 'a', hint: null }] };
    const copy = structuredClone(body);
    expect(dropEmptyOptionals(Order, body)).toEqual({ ...valid, lines: [{ sku: 'a' }] });
    expect(body).toEqual(copy);
  });

  test('counts as missing in a required field, and as unknown in an unknown one', () => {
    expect(check(dropEmptyOptionals(Order, { ...valid, id: null }))?.text).toBe('id is required');
    expect(check(dropEmptyOptionals(Order, { ...valid, typo: null }))?.text).toBe('unknown field typo');
  });

  test('stays where the schema allows it', () => {
    const schema = closed({ until: nullable(Type.Integer()) });
    expect(dropEmptyOptionals(schema, { until: null })).toEqual({ until: null });
  });

  test('is no reaction, and two emoji are none either', () => {
    const react = compileRequest(operations.reactInNewsletter);
    const params = { id: '15550001001:1@s.whatsapp.net', nl: '120363107654321098@newsletter' };
    const ask = (reaction: unknown) =>
      react({ params, query: {}, body: { server_id: 1, message_id: 'M1', reaction } });
    expect(ask(null)).toMatchObject({ ok: false, text: 'reaction is required' });
    expect(ask('👍👍')).toMatchObject({
      ok: false,
      text: 'reaction must be one emoji, or empty to remove the reaction',
    });
    for (const reaction of ['👍', '']) expect(ask(reaction).ok).toBe(true);
  });
});

describe('query strings', () => {
  const Query = closed({
    reset: Type.Optional(Type.Boolean()),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
    kind: Type.Optional(Type.String()),
  });

  test('are converted to the types of the schema', () => {
    expect(coerceQuery(Query, { reset: 'true', limit: '50', kind: '7' })).toEqual({
      reset: true,
      limit: 50,
      kind: '7',
    });
    expect(coerceQuery(Query, { reset: 'false' })).toEqual({ reset: false });
  });

  test.each<[Record<string, unknown>, string]>([
    [{ reset: 'yes' }, 'reset must be true or false'],
    [{ reset: ['true', 'true'] }, 'reset must be true or false'],
    [{ limit: '5x' }, 'limit must be an integer between 1 and 100'],
    [{ limit: '0' }, 'limit must be an integer between 1 and 100'],
    [{ limit: '99999999999999999999' }, 'limit must be an integer between 1 and 100'],
    [{ page: '2' }, 'unknown field page'],
  ])('%j → %s', (query, text) => {
    expect(compileCheck(Query)(coerceQuery(Query, query))?.text).toBe(text);
  });
});

describe('a whole request', () => {
  const session = { id: '15550001001:1@s.whatsapp.net' };

  test('comes out typed and tidy', () => {
    const parse = compileRequest(operations.getGroupInvite);
    const params = { ...session, group_id: '120363041234567890@g.us' };
    const result = parse({ params, query: { reset: 'true' }, body: undefined });
    expect(result).toEqual({ ok: true, value: { params, query: { reset: true }, body: undefined } });
  });

  test('a contact photo is refused for a JID with device suffix', () => {
    const parse = compileRequest(operations.getContactPhoto);
    const result = parse({
      params: { ...session, jid: '15550002001:1@s.whatsapp.net' },
      query: {},
      body: undefined,
    });
    expect(result).toMatchObject({ ok: false, field: 'jid' });
  });

  test('is checked by its rule across fields after the schema', () => {
    const post = compileRequest(operations.postToNewsletter);
    const params = { ...session, nl: '120363107654321098@newsletter' };
    const lone = post({ params, query: {}, body: { media_type: 'image' } });
    expect(lone).toMatchObject({ ok: false, text: 'media_type and media_url are required together' });
  });

  test('a batch of numbers is bounded, whatever stands in it', () => {
    const validate = compileRequest(operations.validateNumbers);
    const mixed = { numbers: ['+15550002001', 'ada'] };
    expect(validate({ params: session, query: {}, body: mixed })).toMatchObject({ value: { body: mixed } });
    const tooMany = Array.from({ length: 51 }, () => '15550002001');
    expect(validate({ params: session, query: {}, body: { numbers: tooMany } })).toMatchObject({
      text: 'numbers must have 1 to 50 items',
    });
  });

  test('a missing body is refused, except where the body is optional', () => {
    const params = { id: 'wh_1' };
    expect(compileRequest(operations.updateWebhook)({ params, query: {}, body: undefined }).ok).toBe(false);
    expect(compileRequest(operations.testWebhook)({ params, query: {}, body: undefined })).toMatchObject({
      ok: true,
      value: { body: {} },
    });
  });

  test('whatever arrives, no operation throws: it accepts, or names a field in a sentence', () => {
    const parsers = Object.values<Operation>(operations).map((operation) => ({
      operation,
      parse: compileRequest(operation),
    }));
    fc.assert(
      fc.property(
        fc.constantFrom(...parsers),
        fc.dictionary(fc.string(), fc.jsonValue()),
        fc.dictionary(fc.string(), fc.string()),
        fc.jsonValue(),
        ({ operation, parse }, noise, query, body) => {
          const names = Object.keys(operation.params?.properties ?? {});
          const params = Object.fromEntries(
            names.map((name, index) => [name, Object.keys(noise)[index] ?? 'x']),
          );
          const result = parse({ params, query, body });
          if (result.ok) return;
          expect(result.field).not.toBe('');
          expect(result.text).toContain(result.field);
        },
      ),
      { numRuns: 2000 },
    );
  });
});

test('for arbitrary values near the schema, a complaint names a field, and no complaint means the value is valid', () => {
  const near = fc.record(
    {
      id: fc.oneof(fc.string(), fc.jsonValue()),
      amount: fc.oneof(fc.double(), fc.jsonValue()),
      count: fc.oneof(fc.integer(), fc.jsonValue()),
      size: fc.oneof(fc.constantFrom('s', 'm', ''), fc.jsonValue()),
      lines: fc.oneof(fc.array(fc.record({ sku: fc.jsonValue(), hint: fc.jsonValue() })), fc.jsonValue()),
      tags: fc.oneof(fc.array(fc.string()), fc.jsonValue()),
      stray: fc.jsonValue(),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(near, (value) => {
      const complaint = check(value);
      if (complaint === null) {
        expect(typeof value.id).toBe('string');
        expect(value).not.toHaveProperty('stray');
      } else {
        expect(complaint.field).not.toBe('');
        expect(complaint.text).toContain(complaint.field);
        expect(complaint.text).not.toMatch(/is not valid|undefined/);
      }
    }),
    { numRuns: 2000 },
  );
});
