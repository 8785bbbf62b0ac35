// Made from the contract by `npm run gen`. Do not edit.

export const WEBHOOK_HEADERS = {
  "webhookId": "X-Webhook-ID",
  "messageId": "X-Message-ID",
  "timestamp": "X-Timestamp",
  "signature": "X-Webhook-Signature"
} as const;

export const ERROR_CODE_HEADER = "X-Error-Code" as const;

export const SIGNATURE_TOLERANCE_SECONDS = 300 as const;

export const DELIVERIES_PAGE_MAX = 100 as const;

export const EVENTS_PAGE_MAX = 500 as const;
