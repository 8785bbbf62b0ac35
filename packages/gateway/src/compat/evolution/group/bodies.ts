import {
  GROUP_DESCRIPTION_MAX_LENGTH,
  GROUP_NAME_MAX_LENGTH,
  GROUP_PARTICIPANTS_MAX,
} from '@parley/contract';
import Type from 'typebox';
import { Address, Addresses, OptionalAddress, OptionalLines, Text, Url } from '../fields.ts';

/** Whom one request invites. Each invitation counts as a send of the number. */
const INVITED_MAX = 50;
/** Groups of one page; clients of this interface expect all of them on the first. */
export const GROUPS_MAX = 1_000;

/** The group is named in the query, or in the body by clients that write it there. */
export const GroupQuery = Type.Object({ groupJid: OptionalAddress });
export const GroupBody = Type.Object({ groupJid: OptionalAddress });

export const CreateBody = Type.Object({
  subject: Text(GROUP_NAME_MAX_LENGTH),
  description: OptionalLines(GROUP_DESCRIPTION_MAX_LENGTH),
  participants: Type.Optional(Type.Array(Address, { maxItems: GROUP_PARTICIPANTS_MAX })),
});
export const GroupsQuery = Type.Object({
  getParticipants: Type.Optional(Type.Boolean()),
  page: Type.Optional(Type.Integer({ minimum: 1, maximum: GROUPS_MAX })),
});
export const ParticipantsBody = Type.Object({
  ...GroupBody.properties,
  action: Type.Enum(['add', 'remove', 'promote', 'demote'], { type: 'string' }),
  participants: Addresses(GROUP_PARTICIPANTS_MAX),
});
export const SubjectBody = Type.Object({ ...GroupBody.properties, subject: Text(GROUP_NAME_MAX_LENGTH) });
export const DescriptionBody = Type.Object({
  ...GroupBody.properties,
  description: OptionalLines(GROUP_DESCRIPTION_MAX_LENGTH),
});
export const PictureBody = Type.Object({ ...GroupBody.properties, image: Url });
export const InviteBody = Type.Object({
  ...GroupBody.properties,
  numbers: Addresses(INVITED_MAX),
  description: OptionalLines(GROUP_DESCRIPTION_MAX_LENGTH),
});
export const InviteCodeQuery = Type.Object({ inviteCode: Text(256) });
export const SettingBody = Type.Object({
  ...GroupBody.properties,
  action: Type.Enum(['announcement', 'not_announcement', 'locked', 'unlocked'], { type: 'string' }),
});
export const EphemeralBody = Type.Object({ ...GroupBody.properties, expiration: Type.Integer() });
