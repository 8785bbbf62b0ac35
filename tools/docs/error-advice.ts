import type { ErrorCode } from '@parley/contract';

/** Why an error is answered, and what to do about it. A new error has no page until it has a line here. */
export const ERROR_ADVICE: Readonly<Record<ErrorCode, string>> = {
  invalid_field:
    'A field, parameter or header is missing, unknown, or has a value that does not fit. The text names it and says what it takes. Correct the request.',
  body_not_json:
    'The body could not be read as JSON. Look for a missing quote, or a shell that swallowed one.',
  host_twice: 'The request has two `Host` headers. Look at the client, or at the proxy that adds one.',
  not_http:
    'The first bytes on the connection are not an HTTP/1.1 request: look for `http://` where `https://` is meant, or for a broken header. The connection is closed.',
  request_too_slow:
    'Headers have 10 seconds to arrive, the whole request 30. Look at the network in between. The connection is closed.',
  headers_too_large:
    'All headers together may have 16 KiB. Look for a cookie or a token that does not belong here. The connection is closed.',
  content_type_not_json: 'Send `Content-Type: application/json` with every body.',
  body_too_large: 'Files do not travel inside requests: give their address in `media_url`.',
  too_many_own_bodies:
    'Requests of this account hold too much of the gateway’s memory with their bodies. Wait as long as `Retry-After` says, and send fewer at once.',
  too_many_bodies:
    'The gateway holds as many bodies of requests as it has memory for. Nothing was accepted. Repeat after `Retry-After`, a send with the same `Idempotency-Key`.',
  not_found:
    'There is no such path on this gateway, or the surface is turned off: `/operator/v1` without a token, `/sandbox/v1` on the real network.',
  method_not_allowed: 'The path exists, the method does not. The header `Allow` names those that do.',
  internal_error:
    'A bug on our side. Repeat the request once, a send with the same `Idempotency-Key`; if it stays, give the request id to whoever reads the log.',
  shutting_down: 'The process is stopping, usually for an upgrade. Repeat the request after a second.',
  store_unreachable:
    'The gateway lost its database. Nothing was accepted. Repeat, a send with the same `Idempotency-Key`.',
  not_ready: 'Answered by `/readyz` only: the named part is not usable, and no traffic should be sent here.',
  api_key_invalid:
    'There is no `Authorization: Bearer` header, or its key was never made, was revoked or has expired. Make another in the portal.',
  tos_not_accepted:
    'There are new terms of service. The owner accepts them in the portal; `GET /v1/tos` says which version waits.',
  account_suspended: 'The operator has suspended the account. No key of it works until that is lifted.',
  permission_missing: 'The key was made with a list of permissions that lacks this one. Make another key.',
  key_restricted: 'The key belongs to one number of the account, and the request is about another one.',
  session_not_owned:
    'The number of this `session_id` is not registered in the account of the key. Look for a mixed-up key.',
  plan_lacks_feature:
    'The plan of this number does not have that kind of message or operation. See [Limits](limits.md#plans).',
  session_not_hosted:
    'The number is offline, logged out, or was never linked. After a restart of the gateway wait ten seconds; otherwise look at `GET /v1/sessions/{id}` and pair again if it says `logged_out`.',
  session_not_found: 'The account has no session with this id.',
  history_off:
    'Conversations are kept only where that was switched on, from then on. [Conversations](conversations.md) says how, and what is kept.',
  device_not_found: 'The `slot_id` does not exist, or belongs to another account.',
  device_not_active:
    'The number is `inactive` or `suspended`. Its status is changed in the portal or by the operator.',
  number_already_linked:
    'Pairing would replace a link that works. Delete the session first if that is what you want.',
  onboarding_not_found: 'The id is wrong, or the attempt is long over. Start another.',
  passkey_not_asked:
    'Poll the onboarding: it has got its passkey, went on to something else, or never needed one. An answer counts once.',
  confirmation_not_asked: 'Poll the onboarding: there are no codes to compare at the moment.',
  passkey_of_another_challenge:
    'The assertion was made for another attempt, or for an earlier challenge of this one. Poll, and sign the `options` that you get.',
  idempotency_key_required:
    'Every send needs the header. Take what makes the message unique on your side, such as the number of an order, or a UUID.',
  idempotency_key_too_long: 'Use a shorter one, or its hash.',
  idempotency_key_reused:
    'The key was used in the last 24 hours for a different body. Nothing was sent. A different message needs a different key.',
  media_pair_incomplete: 'One of the two is missing. A file needs both.',
  edit_window_passed: 'The network allows edits for 20 minutes. Send a correction instead.',
  message_not_own: 'The message was sent by somebody else, or by another number of yours.',
  session_rate_exceeded:
    'Either more than one message per second from this number, or more per minute than its plan has. Wait for `Retry-After`; the header `RateLimit-Remaining` tells beforehand.',
  account_rate_exceeded:
    'All numbers of the account together send faster than 20 messages per second. Wait for `Retry-After`.',
  cooldown:
    'The number has sent 100 messages without a gap of a minute. It rests for five minutes, which protects it from being taken for a machine. Spread sends out.',
  held_back:
    'The network has restricted the number, is about to, or the number’s own budget is used up; sends to people without a chat wait, answers in known chats go on. Nothing was spent. Repeat with the same `Idempotency-Key` after `Retry-After`, or change what is held back with `PUT /v1/sessions/{id}/pacing`.',
  quota_exhausted:
    'The messages of this period are used up. There is no `Retry-After`, since waiting for the next period may take weeks: choose a larger plan.',
  test_send_too_soon: 'Test sends of the portal are slower than the API on purpose.',
  enqueue_failed:
    'The message could not be written down. Nothing was sent. Repeat with the same `Idempotency-Key`.',
  message_not_found: 'No message of this account has that id, or it is older than 90 days.',
  too_many_actions:
    'Five requests for this number are at work already: groups, contacts, channels, validation. Queue them on your side.',
  host_unreachable:
    'The process that holds this number could not be asked. Repeat; within ten seconds another process takes over.',
  network_unreachable: 'The messaging network could not be reached from the gateway. Repeat later.',
  network_timeout:
    'The network took the request and did not answer. What was asked for may have happened: read the state before repeating.',
  network_forbids:
    'The network refuses this for your number, for instance because of privacy settings or an earlier ban.',
  network_rejects:
    'The network could not make sense of a value that looked right. Look for a JID that does not exist.',
  group_admin_required:
    'Only admins may do that. Have the number promoted on a phone, or with an admin’s session.',
  group_membership_required: 'The number is not in that group, or no longer. Join with an invite link.',
  channel_admin_required: 'Only admins of a channel may post in it and change it.',
  group_not_found: 'There is no such group, or the number may not see it.',
  username_not_found: 'Look for a typing error. Usernames change hands: ask the person for theirs.',
  username_key_required:
    'Ask the person for the four digits beside their username, and write them behind it.',
  username_key_wrong: 'Ask the person again: they can change the four digits at any time.',
  contact_not_found:
    'Nobody on the network has that JID. `POST /v1/sessions/{id}/validate` tells who is there.',
  channel_not_found: 'There is no such channel, or it was deleted.',
  channel_message_not_found: 'Take `server_id` and `message_id` from the same `newsletter_message` event.',
  invite_not_found: 'The link was reset, has expired, or was cut off when it was copied.',
  photo_not_set: 'There is no photo to show. That is a normal answer, not a failure.',
  photo_hidden: 'There is a photo, and its owner shows it to contacts only.',
  blocklist_in_lid_mode:
    'The network does not offer the blocklist to this number. There is no way around it.',
  media_unavailable:
    'The address did not give the file: a status other than 200, a redirect, a timeout, or a private address in production.',
  media_too_large: 'The network would refuse it too. Make it smaller, or send a link.',
  media_of_another_type: 'The file is not what the field says, judged by its content and not by its name.',
  picture_unusable: 'The network wants a JPEG or PNG of ordinary size.',
  media_not_found:
    'The id is wrong, belongs to another account, or the file was kept long enough. Upload it again.',
  media_empty: 'The request had no body, or a form with an empty file.',
  upload_too_large: 'The network would refuse it too. Make it smaller, or send a link.',
  upload_incomplete:
    'The connection broke, or stood still for 30 seconds. Nothing was kept; upload it again.',
  upload_form_invalid: 'Send the file as the body itself, or a form with one file and nothing after it.',
  media_type_invalid: 'Give `Content-Type` as in `image/png`, or leave it away: then the bytes decide.',
  media_offline:
    'The file is on the network, and its number must be connected to fetch it. `Retry-After` says when to ask again.',
  media_gone:
    'The network keeps files for some weeks, and the phone that sent it does not have it any more either. Switch on the history of the number with `media`: then files are kept here.',
  media_damaged:
    'What the network gave does not fit the key or the hash in the message. Asking again seldom helps.',
  media_beyond_limit: 'The network itself carries no file that is larger, so it claims to be what it is not.',
  media_link_invalid:
    'The link was changed, cut off, or not made by this gateway. Take `media.url` as it is.',
  media_link_expired:
    'Read the message again for a new link, or use `GET /v1/media/{id}` with a key, which does not expire so soon.',
  media_range_invalid: 'The file is shorter. Its size is in `Content-Range` of this answer.',
  media_store_unreachable: 'The folder or bucket of `PARLEY_MEDIA_URL` does not answer. Nothing was kept.',
  media_storage_exhausted:
    'Files go 30 days after they were given. Send the same file by its id instead of uploading copies of it that differ.',
  too_many_uploads: 'Eight uploads of this account are under way already. Queue them on your side.',
  webhook_not_found: 'The id is wrong, or belongs to another account.',
  webhook_exists: 'A number has one webhook. Change it with `PUT /v1/webhooks/{id}`.',
  webhook_without_url:
    'A webhook that sends nothing is a mistake. Fill the URLs of the categories that you want.',
  webhook_field_fixed:
    'A webhook belongs to its number. Leave the field out, or give it as it is; a new secret comes from `POST /v1/webhooks/{id}/rotate-secret`.',
  webhook_url_not_https: 'In production events travel encrypted only.',
  webhook_url_private:
    'The name leads to an address inside a private network, which the gateway does not call. Give it a public one, or read `GET /v1/events`.',
  webhook_has_no_url:
    'Nothing can be sent to a category without an address. Set one with `PUT /v1/webhooks/{id}`.',
  delivery_not_found: 'The delivery has left the history, or belongs to another webhook.',
  delivery_waiting: 'It is tried by itself; *Try now* does not wait for that.',
  delivery_not_waiting: 'It was delivered, is dead, or its webhook is paused.',
  delivery_content_gone:
    'The log keeps what was delivered for 3 days. Read what happened since with `GET /v1/events`, or ask the conversation.',
  nothing_to_replay: 'Choose another time. What has left the log cannot be delivered again.',
  delivery_not_dead: 'It was delivered, or is still being tried.',
  event_not_found: 'Events are kept for three days, and longer only while they are to be delivered.',
  cursor_invalid: 'A cursor is used exactly as it was given. Start without one to begin anew.',
  too_many_streams:
    'Close a stream that is no longer read, or let one stream feed all parts of your program: a stream carries the events of all numbers.',
  operator_token_invalid: 'The operator API takes `PARLEY_OPERATOR_TOKEN` as a bearer token, and no API key.',
  metrics_token_invalid:
    'In production `/metrics` takes `PARLEY_METRICS_TOKEN` as a bearer token, or the operator token where none is set.',
  account_not_found: 'No account has this id.',
  api_key_not_found: 'No key of this account has this id; perhaps it was revoked already.',
  member_not_found: 'The account has no member with this id or email.',
  email_taken: 'An email opens one account.',
  phone_taken: 'A number belongs to one account of the gateway.',
  free_plan_holds_one_number: 'Put the first number on another plan before registering a second.',
  tos_version_exists: 'Published terms are not changed. Publish them under a new version.',
  tos_missing: 'Publish a version first.',
  sign_in_required: 'The visit to the portal has ended. Sign in again.',
  sign_in_failed: 'Which of the two is wrong is not told.',
  sign_in_busy: 'Wait for `Retry-After`. A browser that its owner has used before goes first.',
  sign_in_too_often: 'Wait for `Retry-After`. Others are not kept out by it.',
  sign_up_closed: 'The operator has set `PARLEY_SIGN_UP` to `closed`, or left it so in production.',
  second_factor_required: 'The password is right. Send it again with `code`.',
  code_wrong:
    'A code of the app is good for half a minute, once; so is the clock of the phone to be right. A recovery code is good once. After five wrong ones wait for `Retry-After`.',
  two_factor_on: 'Turn it off first to enrol another app.',
  two_factor_off: 'There is nothing to confirm or to turn off. Begin with the password.',
  account_ending:
    'Its owner or the operator cancels the deletion within the days of grace. See [The portal](portal.md#account).',
  deletion_not_found: 'Nothing was asked for, it was canceled, or it is too late.',
  quarantined_not_found: 'It was dropped, or its 30 days are over.',
  export_not_found: 'It is still being prepared, or its time is over. Ask for another one.',
  browser_session_not_found: 'It was signed out, or its time is over.',
  email_not_verified: 'Follow the link in the mail that came after signing up, or ask for another one.',
  role_lacks_right:
    'Owners may do everything, developers all but money and people, read-only members only look. An owner can change the role. See [The portal](portal.md#team).',
  last_owner: 'Make another member an owner first.',
  invoice_not_found: 'No invoice that you may see has this id.',
  invoice_without_charge: 'There is nothing to pay: its plan had no price, or the price was 0.',
  invitation_not_found: 'It was taken back, accepted, or is over.',
  too_many_members: 'Remove somebody, or take an invitation back.',
  mail_off:
    'The operator has set no `PARLEY_MAIL_URL`. `parley account reset-password` makes a link that works without mail.',
  password_wrong: 'Changing it takes the old password.',
  tos_superseded: 'A newer version was published meanwhile. Load the page again.',
  plan_by_operator: 'Its plan was negotiated. Ask the operator.',
  link_not_found:
    'The pairing behind the link is over, or there never was one. Start another, and send its `url`.',
  link_taken:
    'A link is kept by the first browser that opens it. Whoever opened it can go on there; otherwise start another pairing.',
  request_forged: 'The request lacks what only the portal’s own pages send.',
};
