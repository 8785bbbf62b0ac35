import { operations, userJid } from '@parley/contract';
import type { ForeignEndpoint } from '#http';
import { Fault } from '#kernel';
import { type CloudContext, endpoint, numberOf } from '../context.ts';
import { isObject, textIn } from '../fields.ts';
import { GraphError, invalid } from '../graph-error.ts';

/** Kept by the network for its own business accounts, and out of reach for linked devices. */
const OUT_OF_REACH = ['address', 'description', 'email', 'websites', 'vertical'];

export function profileEndpoints(context: CloudContext): ForeignEndpoint[] {
  return [
    endpoint(['GET', '/:id/whatsapp_business_profile'], 'getProfile', async (call) => {
      const { number } = await numberOf(context, call);
      const params = { id: userJid(number.phone), jid: userJid(number.phone) };
      const { status } = await call.invoke(operations.getContact, { params });
      const picture = await call.invoke(operations.getContactPhoto, { params }).catch((error: unknown) => {
        if (error instanceof Fault && (error.status === 404 || error.status === 403)) return undefined;
        throw error;
      });
      const url = picture?.picture.url;
      return {
        data: [{ messaging_product: 'whatsapp', about: status, ...(url && { profile_picture_url: url }) }],
      };
    }),
    endpoint(['POST', '/:id/whatsapp_business_profile'], 'changeProfile', async (call) => {
      const { number } = await numberOf(context, call);
      if (!isObject(call.body)) throw invalid('The body must be a JSON object.');
      const { body } = call;
      const unknown = OUT_OF_REACH.find((field) => body[field] !== undefined);
      if (unknown)
        throw new GraphError(131009, `${unknown} of the profile can be changed on the phone only.`);
      const params = { id: userJid(number.phone) };
      const about = textIn(body, 'about');
      const handle = textIn(body, 'profile_picture_handle');
      if (about !== undefined)
        await call.invoke(operations.setProfileStatus, { params, body: { status: about } });
      if (handle !== undefined)
        await call.invoke(operations.setProfilePhoto, { params, body: { media_id: handle } });
      return { success: true };
    }),
  ];
}
