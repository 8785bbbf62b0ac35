import { describe, expect, test } from 'vitest';
import {
  numberIn,
  objectIn,
  objectsIn,
  personAddress,
  recipientIn,
  requiredText,
  textIn,
  userIdOf,
  waIdOf,
} from './fields.ts';

describe('addresses', () => {
  test('are a number or a user id', () => {
    expect([userIdOf('77@lid'), userIdOf('15550002001@s.whatsapp.net')]).toEqual(['XX.77', undefined]);
    expect([waIdOf('15550002001@s.whatsapp.net'), waIdOf('77@lid')]).toEqual(['15550002001', undefined]);
    expect(personAddress('US.77')).toBe('77@lid');
    expect(personAddress('+1 (555) 000-2001')).toBe('15550002001@s.whatsapp.net');
    expect(personAddress('not a number')).toBeUndefined();
  });

  test.each<[object, string]>([
    [{ to: '15550002001' }, '15550002001@s.whatsapp.net'],
    [{ recipient: 'US.77' }, '77@lid'],
    [{ to: '120363041234567890', recipient_type: 'group' }, '120363041234567890@g.us'],
    [{ to: '120363041234567890@g.us', recipient_type: 'group' }, '120363041234567890@g.us'],
  ])('of a recipient: %o', (body, jid) => {
    expect(recipientIn(body as Record<string, unknown>)).toEqual({ input: Object.values(body)[0], jid });
  });

  test.each<[object, string]>([
    [{}, 'The parameter to is required.'],
    [{ to: 'x y' }, 'Param to is no recipient'],
    [{ to: '15550002001@s.whatsapp.net', recipient_type: 'group' }, 'Param to is no recipient'],
  ])('refuse an invalid one: %o', (body, words) => {
    const refused = () => recipientIn(body as Record<string, unknown>);
    expect(refused).toThrow(words);
  });
});

describe('fields', () => {
  const fields = {
    text: 'a',
    empty: '',
    none: null,
    number: 3,
    words: ' 3 ',
    list: [{}],
    object: {},
    odd: [1],
  };

  test('accept every spelling that clients use', () => {
    expect([textIn(fields, 'text'), textIn(fields, 'empty'), textIn(fields, 'none')]).toEqual([
      'a',
      undefined,
      undefined,
    ]);
    expect([numberIn(fields, 'number'), numberIn(fields, 'words')]).toEqual([3, 3]);
    expect([objectIn(fields, 'object'), objectsIn(fields, 'list')]).toEqual([{}, [{}]]);
    expect(requiredText(fields, 'text')).toBe('a');
  });

  test.each<[string, () => unknown, string]>([
    ['a missing text', () => requiredText(fields, 'empty'), 'The parameter empty is required.'],
    ['a number for a text', () => textIn(fields, 'number'), 'Param number must be a string.'],
    ['a text for a number', () => numberIn(fields, 'text'), 'Param text must be a number.'],
    ['nothing for a number', () => numberIn(fields, 'empty'), 'Param empty must be a number.'],
    ['a missing object', () => objectIn(fields, 'none', 'a.b'), 'The parameter a.b is required.'],
    ['a missing one as well', () => objectIn(fields, 'absent'), 'The parameter absent is required.'],
    ['a list for an object', () => objectIn(fields, 'list'), 'Param list must be a JSON object.'],
    ['an empty list', () => objectsIn({ list: [] }, 'list'), 'Param list must be an array with at least one'],
    [
      'an object for a list',
      () => objectsIn(fields, 'object'),
      'Param object must be an array with at least',
    ],
    [
      'a list of something else',
      () => objectsIn(fields, 'odd'),
      'Param odd must be an array of JSON objects.',
    ],
  ])('refuse an invalid value by its name: %s', (_name, take, words) => {
    expect(take).toThrow(words);
  });
});
