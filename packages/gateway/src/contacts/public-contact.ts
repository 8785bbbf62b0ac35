import type { ProfilePicture, Contact as PublicContact, UserInfo as PublicUserInfo } from '@parley/contract';
import type { Contact, Photo, UserInfo } from '#network';

export function publicContact({ jid, firstName, fullName, pushName, businessName }: Contact): PublicContact {
  return {
    jid,
    first_name: firstName,
    full_name: fullName,
    push_name: pushName,
    business_name: businessName,
  };
}

export function publicUserInfo({ about, pictureId, verifiedName, devices }: UserInfo): PublicUserInfo {
  return {
    status: about,
    picture_id: pictureId,
    ...(verifiedName && { verified_name: verifiedName }),
    devices: devices.map(({ jid, device }) => ({ jid, device })),
  };
}

export function publicPhoto({ url, id, type }: Photo): ProfilePicture {
  return { picture: { has_picture: true, url, id, type } };
}
