import { operations, userJid } from '@parley/contract';
import type { ForeignEndpoint } from '#http';
import { Fault } from '#kernel';
import { ProfileBody } from '../bodies.ts';
import type { CloudContext } from '../context.ts';
import { onNumber } from '../endpoint.ts';
import { GraphError } from '../graph-error.ts';

/** Kept by the network for its own business accounts, and out of reach for linked devices. */
const OUT_OF_REACH = ['address', 'description', 'email', 'websites', 'vertical'];

export function profileEndpoints(context: CloudContext): ForeignEndpoint[] {
  return [
    onNumber(
      context,
      ['GET', '/:id/whatsapp_business_profile'],
      'getProfile',
      async (call) => {
        const { number } = call.subject;
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
      },
      { permission: 'contacts' },
    ),
    onNumber(
      context,
      ['POST', '/:id/whatsapp_business_profile'],
      'changeProfile',
      async ({ body, invoke, subject: { number } }) => {
        const unknown = OUT_OF_REACH.find((field) => field in body);
        if (unknown)
          throw new GraphError(131009, `${unknown} of the profile can be changed on the phone only.`);
        const params = { id: userJid(number.phone) };
        const { about, profile_picture_handle: handle } = body;
        if (about !== undefined)
          await invoke(operations.setProfileStatus, { params, body: { status: about } });
        if (handle !== undefined)
          await invoke(operations.setProfilePhoto, { params, body: { media_id: handle } });
        return { success: true };
      },
      { permission: 'contacts', input: { body: ProfileBody } },
    ),
  ];
}
