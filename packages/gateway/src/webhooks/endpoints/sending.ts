import type { WebhookRow } from '#store';

/** What is queued for it goes out; else it waits. */
export function isSending({ active, paused_at }: Pick<WebhookRow, 'active' | 'paused_at'>): boolean {
  return active === 1 && paused_at === null;
}
