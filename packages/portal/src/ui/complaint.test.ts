import { expect, it } from 'vitest';
import { Problem } from '../api/index.ts';
import { complaintAbout } from './complaint.ts';

it('finds the message of a refused form for the field that it names, or for a part of it', () => {
  const refused = (text: string, field?: string) => new Problem(400, text, undefined, field);
  expect(complaintAbout('url', refused('url must be an address'))).toBe('Url must be an address.');
  expect(complaintAbout('prices.pro', refused('prices.pro must be at least 0'))).toBeDefined();
  expect(complaintAbout('prices.free', refused('prices.pro must be at least 0'))).toBeUndefined();
  expect(complaintAbout('prices', refused('prices.pro must be at least 0'))).toBeDefined();
  expect(complaintAbout('scopes', refused('scopes[1] is unknown'))).toBeDefined();
  expect(complaintAbout('phone', refused('Write it in another form.', 'phone'))).toBeDefined();
  expect(complaintAbout('phone', refused('phones must be few'))).toBeUndefined();
  expect(complaintAbout('phone', new Problem(500, 'phone is broken'))).toBeUndefined();
});
