import { expect, it } from 'vitest';
import { line, textOf } from './letter.ts';

it('keeps what others have named on the line where it stands', () => {
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
