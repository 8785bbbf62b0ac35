import { type Family, readMarks, writeMarks } from './family.ts';

export const location: Family<'location'> = {
  write: (content, context) => ({
    locationMessage: {
      degreesLatitude: content.latitude,
      degreesLongitude: content.longitude,
      name: content.name,
      address: content.address,
      contextInfo: writeMarks(content, context),
    },
  }),
  read({ locationMessage: place }, context) {
    if (!place) return undefined;
    return {
      type: 'location',
      latitude: place.degreesLatitude ?? 0,
      longitude: place.degreesLongitude ?? 0,
      ...(place.name && { name: place.name }),
      ...(place.address && { address: place.address }),
      ...readMarks(place.contextInfo, context),
    };
  },
};

export const contact: Family<'contact'> = {
  write: (content, context) => ({
    contactMessage: {
      displayName: content.displayName,
      vcard: content.vcard,
      contextInfo: writeMarks(content, context),
    },
  }),
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

/** An invite stays good for three days. */
const INVITE_SECONDS = 3 * 86_400;

export const groupInvite: Family<'group_invite'> = {
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
