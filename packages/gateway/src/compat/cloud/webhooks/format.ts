import { createHmac } from 'node:crypto';
import type { PublicEvent } from '@parley/contract';
import { acceptedAt } from '#messages';
import type { WebhookFormat } from '#webhooks';
import type { CompatContext } from '../../context.ts';
import type { Names } from '../../names/names.ts';
import { cloudNumber, type Remembered } from '../context.ts';
import type { CallbackOptions } from './callbacks.ts';
import { envelope } from './envelope.ts';
import { messageOf } from './messages.ts';
import { statusOf } from './statuses.ts';

/** Events as the Graph API tells them, one a request, signed with the secret of the app. */
export function createFormat({ store }: CompatContext, names: Names<Remembered>): WebhookFormat {
  async function told(event: PublicEvent, slotId: string): Promise<object | undefined> {
    switch (event.kind) {
      case 'message':
        return messageOf(event, async (id) => (await acceptedAt(store, slotId, id)) !== undefined);
      case 'status':
      case 'receipt':
        return statusOf(event);
      default:
        return undefined;
    }
  }

  return {
    async render({ payload, url, options, accountId, slotId, phone }) {
      const value = await told(JSON.parse(payload) as PublicEvent, slotId);
      if (!value) return [];
      const { appSecret } = JSON.parse(options) as CallbackOptions;
      const number = { slotId, accountId, phone, plan: 'free' } as const;
      const { id, wabaId } = cloudNumber(number, await names.lately.ofNumber(slotId));
      const body = JSON.stringify(envelope({ wabaId, phoneNumberId: id, phone }, value));
      const signature = createHmac('sha256', appSecret).update(body).digest('hex');
      const headers = { 'Content-Type': 'application/json', 'X-Hub-Signature-256': `sha256=${signature}` };
      return [{ url, headers, body }];
    },
  };
}
