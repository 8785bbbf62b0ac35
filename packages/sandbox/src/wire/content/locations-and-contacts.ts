import { type ContentCodec, readMarks, writeMarks } from './content-codec.ts';

const location: ContentCodec<'location'> = {
  write({ latitude, longitude, name, address, live, ...marks }, context) {
    const point = { degreesLatitude: latitude, degreesLongitude: longitude };
    const contextInfo = writeMarks(marks, context);
    return live
      ? { liveLocationMessage: { ...point, sequenceNumber: context.at, contextInfo } }
      : { locationMessage: { ...point, name, address, contextInfo } };
  },
  read({ locationMessage, liveLocationMessage }, context) {
    const place = locationMessage ?? liveLocationMessage;
    if (!place) return undefined;
    const { name, address } = locationMessage ?? {};
    return {
      type: 'location',
      latitude: place.degreesLatitude ?? 0,
      longitude: place.degreesLongitude ?? 0,
      ...(name && { name }),
      ...(address && { address }),
      ...(liveLocationMessage && { live: true }),
      ...readMarks(place.contextInfo, context),
    };
  },
};

/** The vCards of a text, each with its display name. */
function cardsIn(vcard: string): { displayName: string; vcard: string }[] {
  return vcard
    .split(/(?=^BEGIN:VCARD)/m)
    .map((card) => card.trim())
    .filter(Boolean)
    .map((card) => ({ displayName: /^FN[^:\n]*:(.*)$/m.exec(card)?.[1]?.trim() ?? '', vcard: card }));
}

const contact: ContentCodec<'contact'> = {
  write({ displayName, vcard, ...marks }, context) {
    const contextInfo = writeMarks(marks, context);
    const contacts = cardsIn(vcard);
    return contacts.length > 1
      ? { contactsArrayMessage: { displayName, contacts, contextInfo } }
      : { contactMessage: { displayName, vcard, contextInfo } };
  },
  read({ contactMessage, contactsArrayMessage }, context) {
    const cards = contactMessage ? [contactMessage] : (contactsArrayMessage?.contacts ?? []);
    if (cards.length === 0) return undefined;
    const source = contactMessage ?? contactsArrayMessage;
    return {
      type: 'contact',
      displayName: source?.displayName ?? '',
      vcard: cards.map((card) => card.vcard ?? '').join('\n'),
      ...readMarks(source?.contextInfo, context),
    };
  },
};

/** An invite is valid for three days. */
const INVITE_SECONDS = 3 * 86_400;

const groupInvite: ContentCodec<'group_invite'> = {
  write: (content, context) => ({
    groupInviteMessage: {
      groupJid: content.group,
      inviteCode: content.code,
      groupName: content.name,
      caption: content.caption,
      inviteExpiration: Math.floor(context.at / 1000) + INVITE_SECONDS,
      contextInfo: writeMarks(content, context),
    },
  }),
  read({ groupInviteMessage: invite }, context) {
    if (!invite) return undefined;
    return {
      type: 'group_invite',
      group: invite.groupJid ?? '',
      code: invite.inviteCode ?? '',
      name: invite.groupName ?? '',
      ...(invite.caption && { caption: invite.caption }),
      ...readMarks(invite.contextInfo, context),
    };
  },
};

/** Messages about a place, a person or a group. */
export const locationsAndContacts = { location, contact, group_invite: groupInvite };
