import { type Operation, operations } from '@parley/contract';

export const allOperations: readonly Operation[] = Object.values(operations);

/** The names under which things of an account appear in paths and bodies. */
export interface Things {
  readonly sessionId: string;
  readonly slotId: string;
  readonly accountId: string;
  readonly keyId: string;
  /** Absent while the account has none. */
  readonly webhookId?: string | undefined;
  readonly onboardId?: string | undefined;
}

export interface SampleRequest {
  readonly url: string;
  readonly body: unknown;
}

/** A request that satisfies the operation's schema and names the given things. */
export function sampleRequest(operation: Operation, things: Things): SampleRequest {
  return { url: sampleUrl(operation, things), body: sampleBody(operation, things) };
}

export function sampleUrl({ path, subject }: Operation, things: Things): string {
  const ids: Record<string, string | undefined> = {
    session: things.sessionId,
    webhook: things.webhookId,
    onboarding: things.onboardId,
  };
  const values: Record<string, string> = {
    id: ids[subject ?? ''] ?? 'none_01j9z6m4k2',
    group_id: '120363041234567890@g.us',
    jid: '15550002001@s.whatsapp.net',
    nl: '120363107654321098@newsletter',
    message_id: '3EB0C767D71C5A4F1D2B',
    delivery_id: 'dl_01j9z6m4k2',
    account_id: things.accountId,
    slot_id: things.slotId,
    key_id: things.keyId,
  };
  return path.replaceAll(/\{([^}]+)\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`There is no sample of {${name}} in ${path}.`);
    return encodeURIComponent(value);
  });
}

/** The least that each operation with a body takes; an operation that is missing here fails every test that walks the routes. */
const BODIES: Record<string, (things: Things) => object> = {
  startQrPairing: ({ slotId }) => ({ slot_id: slotId }),
  startCodePairing: ({ slotId }) => ({ slot_id: slotId }),
  setTyping: () => ({ to: '15550002001@s.whatsapp.net' }),
  subscribePresence: () => ({ contact_jid: '15550002001@s.whatsapp.net' }),
  setCallAutoReject: () => ({ enabled: true }),
  validateNumbers: () => ({ numbers: ['15550002001'] }),
  createGroup: () => ({ name: 'Launch team', participants: ['15550002001@s.whatsapp.net'] }),
  changeParticipants: () => ({ participants: ['15550002001@s.whatsapp.net'], action: 'add' }),
  renameGroup: () => ({ name: 'Launch team' }),
  describeGroup: () => ({ description: 'All about the launch' }),
  setGroupPhoto: () => ({ image_url: 'https://files.example.com/team.jpg' }),
  joinGroup: () => ({ link: 'https://chat.whatsapp.com/AbCdEfGhIjKlMnOpQrStUv' }),
  changeGroupSettings: () => ({ announce: true }),
  setProfileStatus: () => ({ status: 'Back on Monday' }),
  changeBlocklist: () => ({ jid: '15550002001@s.whatsapp.net', action: 'block' }),
  createNewsletter: () => ({ name: 'Harbour news' }),
  muteNewsletter: () => ({ mute: true }),
  followNewsletter: () => ({ channel: '120363107654321098@newsletter' }),
  postToNewsletter: () => ({ text: 'High tide at noon' }),
  reactInNewsletter: () => ({ server_id: 1, message_id: '3EB0C767D71C5A4F1D2B', reaction: '👍' }),
  sendMessage: ({ sessionId }) => ({ session_id: sessionId, to: '15550002001', text: 'Hello' }),
  createWebhook: ({ sessionId }) => ({
    session_id: sessionId,
    messages_url: 'https://app.example.com/hooks',
  }),
  updateWebhook: () => ({ active: false }),
  testWebhook: () => ({}),
  createAccount: () => ({ name: 'Eve', email: 'eve@example.com' }),
  updateAccount: () => ({ status: 'suspended' }),
  createApiKey: () => ({ name: 'stolen' }),
  createDevice: () => ({ phone: '15559999999', plan: 'pro' }),
  updateDevice: () => ({ status: 'suspended' }),
  publishTerms: () => ({ version: 'v1', url: 'https://parley.example/tos' }),
  runInvoices: () => ({}),
};

function sampleBody({ id, body }: Operation, things: Things): unknown {
  if (body === undefined) return undefined;
  const make = BODIES[id];
  if (!make) throw new Error(`There is no sample of the body of ${id}.`);
  return make(things);
}
