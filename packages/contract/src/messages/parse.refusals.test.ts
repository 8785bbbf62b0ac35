import { describe, expect, test } from 'vitest';
import { SEND_TYPES } from './kinds.ts';
import { parseSend } from './parse.ts';
import { ada, from, samples, toAda, toGroup } from './samples.fixture.ts';

describe('a refusal in one sentence', () => {
  const TEXT_OR_MEDIA = 'text, or media_type and media_url, is required';
  const PAIR = 'media_type and media_url are required together';
  const MEDIA_TYPE = 'media_type is required with media_id and media_base64';
  const URL = 'must be an http or https url of at most 2048 characters';
  const longest = 'x'.repeat(65_536);
  const button = { type: 'quick_reply', display_text: 'Yes', id: 'y' };
  const withButton = (item: unknown) => ({ ...samples.interactive, interactive_buttons: [item] });
  const row = { id: 'r', title: 'Row' };
  const select = (sections: unknown) => withButton({ type: 'single_select', display_text: 'List', sections });

  test.each<[string, unknown, string]>([
    ['no object', 'hi', 'body must be a JSON object'],
    ['no object', [], 'body must be a JSON object'],
    ['no object', null, 'body must be a JSON object'],
    // addresses
    ['session_id empty', { ...samples.text, session_id: '' }, 'session_id must not be empty'],
    ['to missing', { ...from, text: 'hi' }, 'to is required'],
    [
      'to a channel',
      { ...samples.text, to: '120363107654321098@newsletter' },
      'to must be a phone number (digits only), the JID of a person or group, or @username',
    ],
    [
      'to empty',
      { ...samples.text, to: '' },
      'to must be a phone number (digits only), the JID of a person or group, or @username',
    ],
    // type
    [
      'type unknown',
      { ...samples.text, type: 'song' },
      `type must be one of ${SEND_TYPES.join(', ')}, or absent for text and media`,
    ],
    [
      'type of an inner name',
      { ...samples.text, type: 'text_status' },
      `type must be one of ${SEND_TYPES.join(', ')}, or absent for text and media`,
    ],
    [
      'type no string',
      { ...samples.text, type: 5 },
      `type must be one of ${SEND_TYPES.join(', ')}, or absent for text and media`,
    ],
    // text and media
    ['neither text nor media', toAda, TEXT_OR_MEDIA],
    ['text empty', { ...toAda, text: '' }, TEXT_OR_MEDIA],
    ['text too long', { ...toAda, text: `${longest}x` }, 'text must be at most 65536 characters'],
    ['text no string', { ...toAda, text: 7 }, 'text must be a string'],
    ['lone media_type', { ...toAda, media_type: 'image' }, PAIR],
    ['lone media_url', { ...toAda, media_url: 'https://a.example/b' }, PAIR],
    ['lone media_type beside text', { ...samples.text, media_type: 'image' }, PAIR],
    ['lone media_id', { ...toAda, media_id: 'file_1' }, MEDIA_TYPE],
    ['lone media_base64', { ...toAda, media_base64: 'aGk=', media_type: '' }, MEDIA_TYPE],
    ['lone media_url with an empty type', { ...samples.media, media_type: '' }, PAIR],
    [
      'text and media',
      { ...samples.media, text: 'hi' },
      'text cannot be sent together with media_url; use caption',
    ],
    [
      'media_type unknown',
      { ...samples.media, media_type: 'song' },
      'media_type must be one of image, video, audio, document',
    ],
    ['media_url no url', { ...samples.media, media_url: 'a.jpg' }, `media_url ${URL}`],
    ['media_url a file', { ...samples.media, media_url: 'file:///etc/passwd' }, `media_url ${URL}`],
    ['caption no string', { ...samples.media, caption: 1 }, 'caption must be a string'],
    [
      'a mention with a device',
      { ...samples.text, mentions: ['15550002001:2@s.whatsapp.net'] },
      'mentions[0] must be the JID of a person, without device suffix, such as 15550002001@s.whatsapp.net',
    ],
    [
      'a preview of a link that is not there',
      { ...samples.text, link_preview: { url: 'https://example.com/', title: 'x' } },
      'link_preview.url must stand in text',
    ],
    ['forwarded no boolean', { ...samples.text, forwarded: 'yes' }, 'forwarded must be true or false'],
    [
      'quote in a group without sender',
      { ...toGroup, text: 'hi', quoted_message_id: 'M1' },
      'quoted_participant is required when quoting in a group',
    ],
    [
      'quote of media in a group with an empty sender',
      { ...samples.media, ...toGroup, quoted_message_id: 'M1', quoted_participant: '' },
      'quoted_participant is required when quoting in a group',
    ],
    [
      'quoted_participant a group',
      { ...samples.text, quoted_message_id: 'M1', quoted_participant: toGroup.to },
      'quoted_participant must be the JID of a person, without device suffix, such as 15550002001@s.whatsapp.net',
    ],
    // location
    [
      'latitude out of range',
      { ...samples.location, latitude: 91 },
      'latitude must be a number between -90 and 90',
    ],
    [
      'latitude as text',
      { ...samples.location, latitude: '1' },
      'latitude must be a number between -90 and 90',
    ],
    [
      'longitude out of range',
      { ...samples.location, longitude: -181 },
      'longitude must be a number between -180 and 180',
    ],
    // contact
    ['display_name empty', { ...samples.contact, display_name: '' }, 'display_name must not be empty'],
    [
      'vcard cut off',
      { ...samples.contact, vcard: 'BEGIN:VCARD\nFN:Ben' },
      'vcard must be a complete vCard, from BEGIN:VCARD to END:VCARD',
    ],
    // reaction
    [
      'emoji two of them',
      { ...samples.reaction, emoji: '👍👍' },
      'emoji must be one emoji, or empty to remove the reaction',
    ],
    [
      'emoji a word',
      { ...samples.reaction, emoji: 'ok' },
      'emoji must be one emoji, or empty to remove the reaction',
    ],
    ['to null', { ...samples.text, to: null }, 'to is required'],
    ['null in an unknown field', { ...samples.text, txt: null }, 'unknown field txt'],
    [
      'emoji a sentence',
      { ...samples.reaction, emoji: 'x'.repeat(33) },
      'emoji must be at most 32 characters',
    ],
    [
      'reaction in a group without author',
      { ...samples.reaction, ...toGroup },
      'reacted_participant is required in a group unless reacted_from_me is true',
    ],
    [
      'reacted_from_me as text',
      { ...samples.reaction, reacted_from_me: 'true' },
      'reacted_from_me must be true or false',
    ],
    // revoke
    [
      "revoke of the other's message",
      { ...samples.revoke, revoked_from_me: false },
      'revoked_from_me must be true in a direct chat',
    ],
    [
      'revoke in a group without author',
      { ...samples.revoke, ...toGroup, revoked_from_me: false },
      'revoked_participant is required in a group unless revoked_from_me is true',
    ],
    // sticker
    [
      'sticker a png',
      { ...samples.sticker, sticker_url: 'https://a.example/b.png?x=.webp' },
      'sticker_url must point to a .webp file',
    ],
    ['sticker no url', { ...samples.sticker, sticker_url: 'b.webp' }, `sticker_url ${URL}`],
    // edit
    ['edit to nothing', { ...samples.edit, text: '' }, 'text must not be empty'],
    // poll
    ['one option', { ...samples.poll, poll_options: ['Tue'] }, 'poll_options must have 2 to 12 items'],
    [
      'thirteen options',
      { ...samples.poll, poll_options: Array.from({ length: 13 }, (_, i) => `o${i}`) },
      'poll_options must have 2 to 12 items',
    ],
    [
      'same option twice',
      { ...samples.poll, poll_options: ['Tue', 'Tue'] },
      'poll_options must not repeat an item',
    ],
    ['an empty option', { ...samples.poll, poll_options: ['Tue', ''] }, 'poll_options[1] must not be empty'],
    ['options no array', { ...samples.poll, poll_options: 'Tue,Thu' }, 'poll_options must be an array'],
    [
      'more choices than options',
      { ...samples.poll, poll_selectable_count: 3 },
      'poll_selectable_count must be an integer between 0 and the number of options (2)',
    ],
    [
      'choices negative',
      { ...samples.poll, poll_selectable_count: -1 },
      'poll_selectable_count must be an integer of at least 0',
    ],
    [
      'choices a fraction',
      { ...samples.poll, poll_selectable_count: 1.5 },
      'poll_selectable_count must be an integer of at least 0',
    ],
    // disappearing
    [
      'timer of an hour',
      { ...samples.disappearing, disappearing_timer: '1h' },
      'disappearing_timer must be one of off, 24h, 7d, 90d',
    ],
    // status
    [
      'status of no type',
      { ...from, type: 'status', text: 'x' },
      'status_type must be one of text, image, video',
    ],
    [
      'audio status',
      { ...samples.media_status, status_type: 'audio' },
      'status_type must be one of text, image, video',
    ],
    ['text status without text', { ...from, type: 'status', status_type: 'text' }, 'text is required'],
    ['video status without url', { ...from, type: 'status', status_type: 'video' }, 'media_url is required'],
    // group_invite
    [
      'invite to a person',
      { ...samples.group_invite, group_invite_jid: ada },
      'group_invite_jid must be a group JID such as 120363041234567890@g.us',
    ],
    // interactive
    [
      'no buttons',
      { ...samples.interactive, interactive_buttons: [] },
      'interactive_buttons must have 1 to 3 items',
    ],
    [
      'four buttons',
      { ...samples.interactive, interactive_buttons: [button, button, button, button] },
      'interactive_buttons must have 1 to 3 items',
    ],
    [
      'buttons no array',
      { ...samples.interactive, interactive_buttons: button },
      'interactive_buttons must be an array',
    ],
    ['a button that is none', withButton(7), 'interactive_buttons[0] must be a JSON object'],
    [
      'a button of unknown type',
      withButton({ ...button, type: 'cta_dance' }),
      'interactive_buttons[0].type must be one of quick_reply, cta_url, cta_copy, cta_call, single_select',
    ],
    [
      'a button with a typo',
      withButton({ ...button, dispaly_text: 'x' }),
      'unknown field interactive_buttons[0].dispaly_text',
    ],
    [
      'a button without words',
      withButton({ type: 'quick_reply', id: 'y' }),
      'interactive_buttons[0].display_text is required',
    ],
    [
      'quick_reply without id',
      withButton({ type: 'quick_reply', display_text: 'x' }),
      'interactive_buttons[0].id is required',
    ],
    [
      'cta_url without url',
      withButton({ type: 'cta_url', display_text: 'x' }),
      'interactive_buttons[0].url is required',
    ],
    [
      'cta_copy without copy_code',
      withButton({ type: 'cta_copy', display_text: 'x' }),
      'interactive_buttons[0].copy_code is required',
    ],
    [
      'cta_call without phone_number',
      withButton({ type: 'cta_call', display_text: 'x' }),
      'interactive_buttons[0].phone_number is required',
    ],
    [
      'single_select without sections',
      withButton({ type: 'single_select', display_text: 'x' }),
      'interactive_buttons[0].sections is required',
    ],
    ['no sections', select([]), 'interactive_buttons[0].sections must have 1 to 10 items'],
    [
      'a section without rows',
      select([{ title: 'A', rows: [] }]),
      'interactive_buttons[0].sections[0].rows must have 1 to 10 items',
    ],
    [
      'a row without id',
      select([{ title: 'A', rows: [row, { title: 'x' }] }]),
      'interactive_buttons[0].sections[0].rows[1].id is required',
    ],
    [
      'a row with a typo',
      select([{ title: 'A', rows: [{ ...row, tilte: 'x' }] }]),
      'unknown field interactive_buttons[0].sections[0].rows[0].tilte',
    ],
  ])('%s', (_story, body, text) => {
    const result = parseSend(body);
    expect(result).toMatchObject({ ok: false, text });
    expect(!result.ok && result.field).toBeTruthy();
  });
});
