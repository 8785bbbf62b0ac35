/** All limits that callers can reach. The unit is in the name; limits of plans are in `plans.ts`. */

// Sending: rates, cooldown, retries
export const SESSION_SENDS_PER_SECOND = 1;
export const SESSION_SEND_BURST = 5;
export const ACCOUNT_SENDS_PER_SECOND = 20;
export const ACCOUNT_SEND_BURST = 40;
export const COOLDOWN_CONSECUTIVE_SENDS = 100;
export const COOLDOWN_RESET_GAP_SECONDS = 60;
export const COOLDOWN_PAUSE_SECONDS = 300;
export const SEND_ATTEMPTS = 5;
export const SEND_RETRY_DELAYS_SECONDS = [1, 5, 15, 60] as const;
export const PORTAL_TEST_SEND_INTERVAL_SECONDS = 10;
export const EDIT_WINDOW_SECONDS = 20 * 60;
export const IDEMPOTENCY_KEY_MAX_LENGTH = 255;
export const IDEMPOTENCY_KEY_TTL_SECONDS = 24 * 60 * 60;
export const MESSAGE_METADATA_RETENTION_DAYS = 90;

// Synchronous actions on the network
export const NETWORK_ACTIONS_IN_PARALLEL = 5;
export const NETWORK_ACTIONS_RETRY_AFTER_SECONDS = 1;
export const NETWORK_ACTION_TIMEOUT_SECONDS = 20;
export const VALIDATION_BATCH_MAX_NUMBERS = 50;
/** Each one is a query of its own to the network. */
export const VALIDATION_BATCH_MAX_USERNAMES = 10;

// Sizes
export const REQUEST_BODY_MAX_BYTES = 1024 * 1024;
/** Retry-After for a body that exceeds the memory for bodies. */
export const BODIES_RETRY_AFTER_SECONDS = 1;
export const OUTBOUND_MEDIA_MAX_BYTES = 64 * 1024 * 1024;
/** Overhead of a form around an uploaded file. */
export const UPLOAD_FORM_MAX_BYTES = 64 * 1024;
export const INLINE_MEDIA_MAX_BYTES = 4 * 1024 * 1024;
/** The network's own limit. */
export const INBOUND_MEDIA_MAX_BYTES = 2 * 1024 * 1024 * 1024;
/** Per account; identical files count once. */
export const MEDIA_ACCOUNT_MAX_BYTES = 10 * 1024 * 1024 * 1024;
/** Per member of an assertion, in base64url. */
export const PASSKEY_FIELD_MAX_LENGTH = 16 * 1024;

// Pairing and connection
export const QR_LIFETIME_SECONDS = 60;
export const ONBOARDING_POLL_INTERVAL_SECONDS = { min: 2, max: 3 } as const;
export const ONBOARDING_LIFETIME_SECONDS = 5 * 60;
/** For using the passkey, and again for comparing the codes. */
export const PASSKEY_LIFETIME_SECONDS = 10 * 60;
export const DISCONNECTED_DEBOUNCE_SECONDS = 10;
export const TYPING_CLEARS_AFTER_SECONDS = 25;

// Media
export const MEDIA_RETENTION_DAYS = 30;
/** Per account and process. */
export const MEDIA_UPLOADS_IN_PARALLEL = 8;
export const MEDIA_UPLOADS_RETRY_AFTER_SECONDS = 1;
/** An upload without progress for this long is aborted. */
export const MEDIA_UPLOAD_STALL_SECONDS = 30;
export const MEDIA_STORE_RETRY_AFTER_SECONDS = 5;
/** As long as events are kept, so that the link of every readable event works. */
export const MEDIA_LINK_HOURS = 72;
/** Time for which a file fetched on request is stored, unless it is kept with its conversation. */
export const MEDIA_COPY_MINUTES = 60;
export const MEDIA_OFFLINE_RETRY_AFTER_SECONDS = 30;

// Webhooks
export const SIGNATURE_TOLERANCE_SECONDS = 5 * 60;
export const WEBHOOK_TIMEOUT_SECONDS = 10;
/** Delays before attempts 2, 3 and 4; after the last one fails the delivery is dead. */
export const WEBHOOK_RETRY_DELAYS_SECONDS = [30, 5 * 60, 30 * 60] as const;
export const WEBHOOK_ATTEMPTS = WEBHOOK_RETRY_DELAYS_SECONDS.length + 1;
/** Retention of events of a paused webhook. */
export const WEBHOOK_PAUSE_DAYS = 3;
/** Owners get a mail when every attempt at a receiver has failed for this long. */
export const WEBHOOK_FAILING_MAIL_SECONDS = 60 * 60;
/** Part of an answer's body that the log keeps. */
export const DELIVERY_ANSWER_MAX_BYTES = 4 * 1024;
/** Retention of the request log, and its size per key. */
export const REQUEST_LOG_DAYS = 7;
export const REQUEST_LOG_MAX_PER_KEY = 2_000;
export const REQUESTS_PAGE_MAX = 100;
export const REQUESTS_PAGE_DEFAULT = 50;
export const WEBHOOK_SECRET_OVERLAP_SECONDS = 24 * 60 * 60;
export const DELIVERY_HISTORY_MAX_ENTRIES = 500;

// Pages of lists and of the event stream
/** Listed browsers of a member: the last used ones. */
export const BROWSER_SESSIONS_LISTED_MAX = 100;
/** Listed archives of an account: the newest ones. */
export const EXPORTS_LISTED_MAX = 100;
/** Listed failing receivers: those that have failed longest. */
export const FAILING_RECEIVERS_LISTED_MAX = 500;
/** Default page size of lists that once had no pages, large enough for all rows of most accounts. */
export const LIST_PAGE_MAX = 500;
export const DELIVERIES_PAGE_MAX = 100;
export const DELIVERIES_PAGE_DEFAULT = 50;
export const EVENTS_PAGE_MAX = 500;
export const EVENTS_PAGE_DEFAULT = 100;
export const EVENTS_WAIT_MAX_SECONDS = 25;
/** Open event streams and long polls per process. */
export const EVENT_STREAMS_PER_KEY = 10;
export const EVENT_STREAMS_PER_ACCOUNT = 50;
export const EVENT_STREAMS_RETRY_AFTER_SECONDS = 5;
export const MESSAGES_PAGE_MAX = 100;
export const MESSAGES_PAGE_DEFAULT = 50;
export const USAGE_DAYS_MAX = 31;
export const CHATS_PAGE_MAX = 100;
export const CHATS_PAGE_DEFAULT = 50;

// Lengths that the network enforces (in characters unless the name says otherwise)
export const TEXT_MAX_LENGTH = 65_536;
export const CAPTION_MAX_LENGTH = 1024;
export const ABOUT_MAX_LENGTH = 139;
export const GROUP_NAME_MAX_LENGTH = 25;
export const GROUP_DESCRIPTION_MAX_LENGTH = 2048;
export const GROUP_PARTICIPANTS_MAX = 1024;
export const CHANNEL_NAME_MAX_LENGTH = 100;
export const CHANNEL_DESCRIPTION_MAX_LENGTH = 2048;
export const POLL_NAME_MAX_LENGTH = 255;
export const POLL_OPTION_MAX_LENGTH = 100;
export const POLL_OPTIONS_MIN = 2;
export const POLL_OPTIONS_MAX = 12;
export const PROFILE_NAME_MAX_LENGTH = 25;
/** Maximum size of a group. */
export const MENTIONS_MAX = 1_024;
export const LINK_TITLE_MAX_LENGTH = 300;
export const LINK_DESCRIPTION_MAX_LENGTH = 1_000;
export const BUTTONS_MIN = 1;
export const BUTTONS_MAX = 3;
export const BUTTON_TEXT_MAX_LENGTH = 60;
export const BUTTON_ID_MAX_LENGTH = 256;
export const BUTTON_COPY_CODE_MAX_LENGTH = 256;
export const INTERACTIVE_BODY_MAX_LENGTH = 4096;
export const INTERACTIVE_FOOTER_MAX_LENGTH = 60;
export const SELECT_SECTIONS_MAX = 10;
export const SELECT_ROWS_MAX = 10;
export const SELECT_ROW_DESCRIPTION_MAX_LENGTH = 72;

// Lengths that keep one field from filling the queue; far above any real value
export const URL_MAX_LENGTH = 2048;
export const ID_MAX_LENGTH = 128;
export const NAME_MAX_LENGTH = 256;
/** Nickname of a number. */
export const NICKNAME_MAX_LENGTH = 40;
/** Longest validity of a rolled key beside the new one: a week. */
export const KEY_OVERLAP_HOURS_MAX = 168;
/** Price, in the smallest unit of its currency. */
export const AMOUNT_MAX = 1_000_000_000;
/** Latest issue of an invoice after the end of its period, while the gateway runs. */
export const INVOICE_WITHIN_MINUTES = 5;
export const VCARD_MAX_LENGTH = 65_536;
/** The longest single emoji (families, flags of regions) take under 30 UTF-16 units. */
export const EMOJI_MAX_LENGTH = 32;
export const PASSWORD_MIN_LENGTH = 10;
export const PASSWORD_MAX_LENGTH = 256;
export const MEMBERS_MAX = 100;
/** Default time between the publication of new terms and their effect. */
export const TERMS_NOTICE_DAYS = 14;
/** Time between the request for an account's deletion and its erasure. */
export const DELETION_GRACE_DAYS = 14;
/** Retention of an account's archives. */
export const EXPORT_KEPT_DAYS = 7;
/** Archives of an account and their parts, beside its files. */
export const EXPORTS_ACCOUNT_MAX_BYTES = 16 * 1024 * 1024 * 1024;
/** Duration of an operator's visit. */
export const VISIT_MINUTES = 30;
export const INVITATION_DAYS = 7;
export const VERIFICATION_LINK_HOURS = 24;
export const CODE_MAX_LENGTH = 32;
/** Validity of a mailed password link, and of one made by the operator. */
export const RECOVERY_LINK_HOURS = 1;
export const OPERATOR_LINK_HOURS = 24;
export const TOKEN_MAX_LENGTH = 4096;

// Number health
export const HEALTH_HISTORY_DAYS = 90;
export const HEALTH_DAYS_DEFAULT = 30;
export const NEW_CHATS_PER_DAY_MAX = 100_000;
export const WARM_UP_MAX_DAYS = 365;
export const WARM_UP_DEFAULT_DAYS = 14;
export const GAP_MAX_SECONDS = 600;

// Kept conversations
export const HISTORY_DAYS_MAX = 3_650;
export const HISTORY_DAYS_DEFAULT = 30;
/** Texts are sealed, so a search decrypts them one by one. */
export const SEARCHED_PER_REQUEST = 2_000;
export const SEARCH_MAX_LENGTH = 200;
