import { createAccount, createApiKey, registerDevice } from '#accounts';
import { newPhone } from '#accounts/testing';
import { choose } from '#conversations';
import { keepEntries } from '#conversations/write-commands';
import { registerWebhook } from '#webhooks';
import type { createHarness } from './harness.ts';

let made = 0;

/** An account with data of every kind, all of it marked by a word that no other test uses. */
export async function furnishAccount(harness: ReturnType<typeof createHarness>) {
  const word = `furnished${++made}x${harness.ids.slot().slice(-8)}`;
  const { store, clock } = harness;
  const { account_id: accountId } = await createAccount(harness, 'operator', {
    name: word,
    email: `${word}@example.com`,
  });
  const phone = newPhone();
  const device = await registerDevice(harness, 'operator', accountId, { phone, plan: 'pro' });
  const number = { slotId: device.slot_id, accountId, phone, plan: device.plan };
  await registerWebhook(harness.webhooks, number, { messages_url: `https://${word}.example.com/hook` });
  await createApiKey(harness, 'operator', accountId, { name: word });
  await choose(harness.history, number, { enabled: true });
  const entries = harness.histories.of(number.slotId)?.message({
    kind: 'message',
    session_id: `${phone}:1@s.whatsapp.net`,
    message_id: `M-${word}`,
    chat_jid: '15550002001@s.whatsapp.net',
    sender_jid: '15550002001@s.whatsapp.net',
    sender_name: 'Ada',
    type: 'text',
    text: `said by ${word}`,
    is_group: false,
    broadcast: false,
    timestamp_unix: Math.floor(clock.now() / 1_000),
  });
  await store.run(keepEntries, [...(entries ?? [])]);
  await harness.library.keep(
    { accountId, phone: null },
    { bytes: bytesOf(word), mimetype: 'text/plain', fileName: `${word}.txt`, maxBytes: 1_000 },
  );
  const at = clock.now();
  await store.transaction(async (trx) => {
    await trx
      .insertInto('api_requests')
      .values({
        account_id: accountId,
        key_id: word,
        at,
        method: 'GET',
        path: `/v1/${word}`,
        status: 200,
        duration_ms: 1,
        request_id: word,
      })
      .execute();
    await trx
      .insertInto('failing_receivers')
      .values({
        account_id: accountId,
        url: `https://${word}.example.com/hook`,
        failing_since: at,
        failed_at: at,
        cause: 'timeout',
        probe_at: null,
        notified_at: null,
        status_code: null,
      })
      .execute();
    await trx
      .insertInto('known_people')
      .values({ slot_id: number.slotId, person: `${word}@s.whatsapp.net` })
      .execute();
    const link = { link_id: `link-${word}`, fence: 1 };
    await trx
      .insertInto('network_links')
      .values({ ...link, creds: Buffer.from(word), created_at: at })
      .execute();
    await trx
      .insertInto('sessions')
      .values({
        slot_id: number.slotId,
        account_id: accountId,
        phone,
        session_id: `${phone}:1@s.whatsapp.net`,
        link_id: link.link_id,
        status: 'connected',
        since: at,
        auto_reject: 0,
        presence_policy: 'auto',
        fence: 1,
      })
      .execute();
    const rows = Array.from({ length: 1_200 }, (_, index) => ({
      id: `3EB0${word}${String(index).padStart(6, '0')}`,
      account_id: accountId,
      slot_id: number.slotId,
      session_id: `${phone}:1@s.whatsapp.net`,
      request_id: `${word}-${index}`,
      to_jid: '15550002001@s.whatsapp.net',
      type: 'text',
      status: 'sent' as const,
      accepted_at: at,
      updated_at: at,
    }));
    for (let from = 0; from < rows.length; from += 200)
      await trx
        .insertInto('messages')
        .values(rows.slice(from, from + 200))
        .execute();
  });
  return { accountId, word, number };
}

async function* bytesOf(word: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(word);
}
