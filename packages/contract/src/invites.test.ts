import { expect, test } from 'vitest';
import { channelKey, groupInviteCode } from './invites.ts';

test.each([
  ['https://chat.whatsapp.com/Hq2kJd83nPlA0zXy', 'Hq2kJd83nPlA0zXy'],
  ['https://chat.whatsapp.com/invite/Hq2kJd83nPlA0zXy', 'Hq2kJd83nPlA0zXy'],
  ['chat.whatsapp.com/Hq2kJd83nPlA0zXy/?mode=ac', 'Hq2kJd83nPlA0zXy'],
  ['Hq2kJd83nPlA0zXy', 'Hq2kJd83nPlA0zXy'],
  ['https://example.com/Hq2kJd83nPlA0zXy', null],
  ['', null],
])('the group invite %j has the code %s', (text, code) => {
  expect(groupInviteCode(text)).toBe(code);
});

test.each([
  ['https://whatsapp.com/channel/0029VaAbCd', { by: 'invite', key: '0029VaAbCd' }],
  ['https://www.whatsapp.com/channel/0029VaAbCd', { by: 'invite', key: '0029VaAbCd' }],
  ['0029VaAbCd', { by: 'invite', key: '0029VaAbCd' }],
  ['120363107654321098@newsletter', { by: 'jid', key: '120363107654321098@newsletter' }],
  ['https://example.com/channel/0029VaAbCd', null],
])('the channel %j is looked up as %j', (text, key) => {
  expect(channelKey(text)).toEqual(key);
});
