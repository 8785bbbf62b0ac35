import { expect, it } from 'vitest';
import { line, textOf } from './mail-text.ts';

it('keeps names chosen by others on their line', () => {
  const name = 'Ada\r\n\r\nYour account is closed.\u2028Pay here: https://evil.example\u202e';
  const text = [line`Join ${name} on Parley.`, [line`Two lines:`, line`${name}`], line`Bye.`];
  expect(textOf({ text }).split('\n')).toEqual([
    'Join Ada Your account is closed. Pay here: https://evil.example on Parley.',
    '',
    'Two lines:',
    'Ada Your account is closed. Pay here: https://evil.example',
    '',
    'Bye.',
  ]);
});
