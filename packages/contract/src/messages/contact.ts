import Type from 'typebox';
import { NAME_MAX_LENGTH, VCARD_MAX_LENGTH } from '../limits.ts';
import { line, lines } from '../schema.ts';
import { complaint } from '../validate/complaint.ts';
import { addressed, sendKind } from './kind.ts';

const COMPLETE_VCARD = /^\s*BEGIN:VCARD\s[\s\S]*\sEND:VCARD\s*$/i;

export const contact = sendKind({
  kind: 'contact',
  plan: 'pro',
  label: 'contacts',
  guide: '',
  title: 'SendContact',
  summary: 'Contact card',
  properties: {
    ...addressed,
    type: Type.Literal('contact'),
    display_name: line(NAME_MAX_LENGTH),
    vcard: lines(VCARD_MAX_LENGTH, { description: 'Complete vCard (RFC 2426).' }),
  },
  rule: ({ vcard }) =>
    COMPLETE_VCARD.test(vcard)
      ? null
      : complaint('vcard', 'vcard must be a complete vCard, from BEGIN:VCARD to END:VCARD'),
  example: {
    session_id: '15550001001:1@s.whatsapp.net',
    to: '15550002001',
    type: 'contact',
    display_name: 'Ben',
    vcard: 'BEGIN:VCARD\nVERSION:3.0\nN:;Ben;;;\nFN:Ben\nTEL;TYPE=CELL:+15550002002\nEND:VCARD',
  },
});
