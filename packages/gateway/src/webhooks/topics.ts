/** Says that there is something new to deliver. Carries a lane when that lane should be tried at once, open breaker or not. */
export const DELIVERIES_TOPIC = 'deliveries';

/** Says that a webhook was changed or deleted; carries its id. */
export const WEBHOOKS_TOPIC = 'webhooks';

/** One account's deliveries to one URL: they share their fate, and nobody else's. */
export interface LaneName {
  readonly accountId: string;
  readonly url: string;
}

export function isLaneName(message: unknown): message is LaneName {
  return typeof message === 'object' && message !== null && 'accountId' in message && 'url' in message;
}
