import { NETWORK_ACTION_TIMEOUT_SECONDS, NETWORK_ACTIONS_RETRY_AFTER_SECONDS } from '../limits.ts';
import { MEDIA_NOUNS, type MediaType } from '../media-types.ts';
import type { ErrorDefinition } from './error-type.ts';

export const networkErrors = {
  too_many_actions: {
    status: 429,
    text: 'too many concurrent requests for this number; retry shortly',
    retryAfterSeconds: NETWORK_ACTIONS_RETRY_AFTER_SECONDS,
    advice:
      'Five requests for this number are at work already: groups, contacts, channels, validation. Queue them on your side.',
  },
  host_unreachable: {
    status: 502,
    text: 'gateway could not reach the process that hosts this number; retry later',
    advice:
      'The process that holds this number could not be asked. Repeat; within ten seconds another process takes over.',
  },
  network_unreachable: {
    status: 502,
    text: 'network could not be reached; retry later',
    advice: 'The messaging network could not be reached from the gateway. Repeat later.',
  },
  network_timeout: {
    status: 502,
    text: `network did not answer within ${NETWORK_ACTION_TIMEOUT_SECONDS} seconds; retry later`,
    advice:
      'The network took the request and did not answer. What was asked for may have happened: read the state before repeating.',
  },
  network_forbids: {
    status: 403,
    text: 'network does not allow this operation for this session',
    advice:
      'The network refuses this for your number, for instance because of privacy settings or an earlier ban.',
  },
  network_rejects: {
    status: 400,
    text: 'network rejected the request as malformed',
    advice:
      'The network could not make sense of a value that looked right. Look for a JID that does not exist.',
  },
  group_admin_required: {
    status: 403,
    text: 'session is not an admin of this group',
    advice: 'Only admins may do that. Have the number promoted on a phone, or with an admin’s session.',
  },
  group_membership_required: {
    status: 403,
    text: 'session is not a member of this group',
    advice: 'The number is not in that group, or no longer. Join with an invite link.',
  },
  channel_admin_required: {
    status: 403,
    text: 'session is not an admin of this channel',
    advice: 'Only admins of a channel may post in it and change it.',
  },
  group_not_found: {
    status: 404,
    text: 'group not found',
    advice: 'There is no such group, or the number may not see it.',
  },
  username_not_found: {
    status: 404,
    text: 'no account has this username',
    advice: 'Look for a typing error. Usernames change hands: ask the person for theirs.',
  },
  username_key_required: {
    status: 400,
    text: 'this username is guarded by a key of four digits; give it as @username:1234',
    advice: 'Ask the person for the four digits beside their username, and write them behind it.',
  },
  username_key_wrong: {
    status: 400,
    text: 'the key of this username is another one',
    advice: 'Ask the person again: they can change the four digits at any time.',
  },
  contact_not_found: {
    status: 404,
    text: 'contact not found',
    advice: 'No account on the network has that JID. `POST /v1/sessions/{id}/validate` checks numbers.',
  },
  channel_not_found: {
    status: 404,
    text: 'channel not found',
    advice: 'There is no such channel, or it was deleted.',
  },
  channel_message_not_found: {
    status: 404,
    text: 'channel message not found',
    advice: 'Take `server_id` and `message_id` from the same `newsletter_message` event.',
  },
  invite_not_found: {
    status: 404,
    text: 'invite link is invalid or was revoked',
    advice: 'The link was reset, has expired, or was cut off when it was copied.',
  },
  photo_not_set: {
    status: 404,
    text: 'no profile photo was ever set',
    advice: 'There is no photo to show. That is a normal answer, not a failure.',
  },
  photo_hidden: {
    status: 403,
    text: 'profile photo is hidden from this session',
    advice: 'There is a photo, and its owner shows it to contacts only.',
  },
  blocklist_in_lid_mode: {
    status: 400,
    text: 'blocklist is not available for accounts in lid addressing mode',
    advice: 'The network does not offer the blocklist to this number. There is no way around it.',
  },
  media_unavailable: {
    status: 400,
    text: 'media could not be downloaded from its url',
    advice:
      'The address did not give the file: a status other than 200, a redirect, a timeout, or a private address in production.',
  },
  media_too_large: {
    status: 400,
    text: 'media is larger than 64 MB',
    advice: 'The network would refuse it too. Make it smaller, or send a link.',
  },
  media_of_another_type: {
    status: 400,
    text: (p: { field: string; type: MediaType }) => `${p.field} does not point to ${MEDIA_NOUNS[p.type]}`,
    sample: { field: 'image_url', type: 'image' },
    advice: 'The file is not what the field says, judged by its content and not by its name.',
  },
  picture_unusable: {
    status: 400,
    text: 'the image cannot be used as a picture',
    advice:
      'Send a JPEG, PNG, WebP or GIF of at most 25 million pixels. JPEGs for print (CMYK), HEIC and AVIF are not decoded.',
  },
} as const satisfies Record<string, ErrorDefinition>;
