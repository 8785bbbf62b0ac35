import { expect, test } from 'vitest';
import { ERRORS } from './errors.ts';

/** Programs decide by the status whether to retry, so that every change of one is a breaking change. */
const CODES: Record<number, string> = {
  400: `invalid_field body_not_json host_twice not_http passkey_of_another_challenge
    idempotency_key_required idempotency_key_too_long idempotency_key_reused media_pair_incomplete
    edit_window_passed message_not_own network_rejects username_key_required username_key_wrong
    blocklist_in_lid_mode media_unavailable media_too_large media_of_another_type picture_unusable
    media_empty upload_incomplete upload_form_invalid media_type_invalid webhook_without_url
    webhook_field_fixed webhook_url_not_https webhook_url_private cursor_invalid`,
  401: `api_key_invalid operator_token_invalid metrics_token_invalid sign_in_required sign_in_failed
    second_factor_required`,
  403: `tos_not_accepted account_suspended permission_missing key_restricted session_not_owned
    plan_lacks_feature device_not_active network_forbids group_admin_required group_membership_required
    channel_admin_required photo_hidden media_link_invalid sign_up_closed code_wrong email_not_verified
    role_lacks_right password_wrong plan_by_operator link_taken request_forged`,
  404: `not_found session_not_found device_not_found onboarding_not_found message_not_found group_not_found
    username_not_found contact_not_found channel_not_found channel_message_not_found invite_not_found
    photo_not_set media_not_found webhook_not_found delivery_not_found event_not_found account_not_found
    api_key_not_found member_not_found deletion_not_found quarantined_not_found export_not_found
    invoice_not_found browser_session_not_found invitation_not_found link_not_found`,
  405: 'method_not_allowed',
  408: 'request_too_slow',
  409: `session_not_hosted number_already_linked passkey_not_asked confirmation_not_asked history_off
    webhook_exists webhook_has_no_url delivery_waiting delivery_not_waiting delivery_content_gone
    nothing_to_replay delivery_not_dead account_ending email_taken phone_taken
    free_plan_holds_one_number tos_version_exists invoice_without_charge tos_missing two_factor_on
    two_factor_off last_owner too_many_members mail_off tos_superseded`,
  410: 'media_gone media_link_expired',
  413: 'body_too_large upload_too_large media_beyond_limit',
  415: 'content_type_not_json',
  416: 'media_range_invalid',
  429: `too_many_own_bodies session_rate_exceeded account_rate_exceeded cooldown held_back quota_exhausted
    test_send_too_soon too_many_actions media_storage_exhausted too_many_uploads too_many_streams
    sign_in_too_often`,
  431: 'headers_too_large',
  500: 'internal_error',
  502: 'store_unreachable enqueue_failed host_unreachable network_unreachable network_timeout media_damaged',
  503: 'too_many_bodies shutting_down not_ready media_offline media_store_unreachable sign_in_busy',
};

test.each(Object.entries(CODES))('gives status %s to exactly these errors', (status, codes) => {
  const found = Object.entries(ERRORS).filter(([, error]) => error.status === Number(status));
  expect(found.map(([code]) => code)).toEqual(codes.split(/\s+/));
});
