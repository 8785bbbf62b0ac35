import { parseSend } from './parse.ts';

/** One small valid send of each kind, and the people in them. */
export const from = { session_id: '15550001001:1@s.whatsapp.net' };
export const toAda = { ...from, to: '15550002001' };
export const toGroup = { ...from, to: '120363041234567890@g.us' };
export const ada = '15550002001@s.whatsapp.net';

export const samples = {
  text: { ...toAda, text: 'hi' },
  media: { ...toAda, media_type: 'image', media_url: 'https://files.example.com/a.jpg' },
  location: { ...toAda, type: 'location', latitude: 1, longitude: 2 },
  contact: { ...toAda, type: 'contact', display_name: 'Ben', vcard: 'BEGIN:VCARD\nFN:Ben\nEND:VCARD' },
  reaction: { ...toAda, type: 'reaction', reacted_message_id: 'M1', emoji: '👍' },
  revoke: { ...toAda, type: 'revoke', revoked_message_id: 'M1', revoked_from_me: true },
  sticker: { ...toAda, type: 'sticker', sticker_url: 'https://files.example.com/a.webp' },
  edit: { ...toAda, type: 'edit', edit_message_id: 'M1', text: 'new' },
  poll: { ...toAda, type: 'poll', poll_name: 'When?', poll_options: ['Tue', 'Thu'] },
  disappearing: { ...toAda, type: 'disappearing', disappearing_timer: '7d' },
  text_status: { ...from, type: 'status', status_type: 'text', text: 'open' },
  media_status: {
    ...from,
    type: 'status',
    status_type: 'image',
    media_url: 'https://files.example.com/a.jpg',
  },
  group_invite: { ...toAda, type: 'group_invite', group_invite_jid: '120363041234567890@g.us' },
  interactive: {
    ...toAda,
    type: 'interactive',
    interactive_body: 'Choose',
    interactive_buttons: [{ type: 'quick_reply', display_text: 'Yes', id: 'y' }],
  },
};

export function accepted(body: unknown) {
  const result = parseSend(body);
  if (!result.ok) throw new Error(`refused: ${result.text}`);
  return result.send;
}

export function without(body: Record<string, unknown>, field: string) {
  return Object.fromEntries(Object.entries(body).filter(([key]) => key !== field));
}
