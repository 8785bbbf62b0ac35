import { strict as assert } from 'node:assert';
import { freePort } from '../../test/services/processes.ts';
import type { Scene } from '../stage/scene.ts';
import { until } from '../stage/until.ts';

let inbox = '';

async function ask<T>(path: string, body?: object): Promise<T> {
  const answer = await fetch(inbox + path, {
    ...(body && {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  });
  assert.ok(answer.ok, `${path} answered ${answer.status}`);
  return (await answer.json()) as T;
}

export const scene: Scene = {
  async settings() {
    const port = await freePort();
    inbox = `http://127.0.0.1:${port}`;
    return { PORT: `${port}` };
  },
  async play({ ada, number }) {
    assert.match(await (await fetch(inbox)).text(), /<title>Inbox<\/title>/);
    const news = await fetch(`${inbox}/news`);
    await ada.says(number, 'Do you have it in blue?');
    let received = '';
    for await (const chunk of news.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      received += chunk;
      if (received.includes('data: ')) break;
    }
    const jid = `${ada.phone}@s.whatsapp.net`;
    assert.ok(received.includes(jid));

    const { chats } = await ask<{ chats: { jid: string; last_message?: { text: string } }[] }>('/chats');
    assert.deepEqual(
      chats.map(({ jid: chat, last_message }) => [chat, last_message?.text]),
      [[jid, 'Do you have it in blue?']],
    );
    await ask('/replies', { jid, text: 'Yes, and in green.' });
    await ada.sees(({ text }) => text === 'Yes, and in green.');
    await until('the answer is in the inbox too', async () => {
      const path = `/messages?jid=${encodeURIComponent(jid)}`;
      const { messages } = await ask<{ messages: { text: string; from_me: boolean }[] }>(path);
      return messages[0]?.from_me && messages[0].text === 'Yes, and in green.' ? true : undefined;
    });
    const foreign = await fetch(`${inbox}/replies`, { method: 'POST', body: '{}' });
    assert.equal(foreign.status, 404);
  },
};
