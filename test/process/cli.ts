import { strict as assert } from 'node:assert';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createSoftAuthenticator, type SoftAuthenticator } from '@parley/sandbox/authenticator';
import { type ParleyEvent, verifyWebhook } from 'parley-sdk';
import { newFolder } from './environment.ts';
import { openHarness } from './harness.ts';
import { launcher, type Parley, runParley } from './parley.ts';
import type { Cases } from './run-cases.ts';

const ADA = '15550002001';
const GUARDED = '15550003002';

export const cliCases: Cases = {
  async 'an operator creates an account, a number and a key, and pairs the number by QR and by code'() {
    const { demoAccount, json, run, begin, onPhone, eventually } = await openHarness();
    const { account_id } = await json<{ account_id: string }>(
      'account',
      'create',
      'Harbour Books',
      'ada@example.com',
    );
    const { accounts } = await json<{ accounts: { account_id: string }[] }>('account', 'list');
    assert.deepEqual(accounts.map((account) => account.account_id).sort(), [demoAccount, account_id].sort());
    const { slot_id } = await json<{ slot_id: string }>(
      'device',
      'add',
      account_id,
      '15550003001',
      '--plan',
      'pro',
    );
    const key = await json<{ api_key: string; key_id: string }>(
      ...['key', 'create', account_id, 'shop', '--phone', '15550003001'],
      ...['--permission', 'sessions', '--permission', 'messages'],
    );
    assert.match(
      (await run('device', 'list')).stdout,
      new RegExp(`${slot_id} +15550003001 +pro +active +0 of 10000`),
    );

    await onPhone('/phones', { phone: '15550003001', name: 'Shop' });
    const pairing = await begin('pair', '15550003001', '--key', key.api_key, '--json');
    const qr = await shown(pairing, /"qr":"([^"]+)"/);
    await onPhone('/phones/15550003001/scan', { qr });
    const paired = await pairing.ended();
    assert.equal(paired.code, 0, paired.stderr);
    assert.match(paired.stdout, /"session_id":"15550003001:\d+@s\.whatsapp\.net"/);
    const presence = await run(
      ...['session', 'presence', '15550003001', 'unavailable', '--key', key.api_key],
    );
    assert.match(presence.stdout, /15550003001 is unavailable from now on/);
    const chosen = await run(
      ...['pacing', '15550003001', '--set', '{"daily_new_chats": 40}', '--key', key.api_key],
    );
    assert.match(chosen.stdout, /^daily_new_chats +40$/m);
    const health = await run('health', '15550003001', '--key', key.api_key);
    assert.match(health.stdout, /^state +healthy since \d{4}-/m);
    await json('session', 'delete', '15550003001', '--key', key.api_key);

    const again = await begin('pair', slot_id, '--code', '--key', key.api_key);
    const code = await shown(again, /^([0-9A-Z]{4}-[0-9A-Z]{4})$/m);
    await onPhone('/phones/15550003001/enter-code', { code });
    assert.match((await again.ended()).stdout, /^Linked: 15550003001:/);

    await json('key', 'revoke', account_id, key.key_id);
    await eventually(async () => (await run('session', 'list', '--key', key.api_key)).code === 1);
    assert.match((await run('account', 'suspend', account_id)).stdout, /Harbour Books is suspended/);
    assert.match((await run('account', 'activate', account_id)).stdout, /Harbour Books is active/);
    assert.match((await run('device', 'set', '15550003001', '--plan', 'max')).stdout, /plan +max/);
  },

  async 'webhooks and virtual phones are created and used by commands alone, with --json in any position'() {
    const { demoAccount, run, json, begin } = await openHarness();
    const early = await run('--json', 'sandbox', 'phones');
    const { phones } = JSON.parse(early.stdout) as { phones: { phone: string }[] };
    assert.ok(phones.some(({ phone }) => phone === ADA));
    await json('device', 'add', demoAccount, '15550003009');
    assert.match((await run('sandbox', 'phone', '15550003009', 'Nina')).stdout, /name +Nina/);
    const pairing = await begin('pair', '15550003009', '--json');
    const linked = await run('sandbox', 'scan', '15550003009', await shown(pairing, /"qr":"([^"]+)"/));
    assert.match(linked.stdout, /^Linked: 15550003009:/);
    assert.equal((await pairing.ended()).code, 0);

    const program = createServer((_request, response) => response.end()).listen(0, '127.0.0.1');
    await once(program, 'listening');
    const url = `http://127.0.0.1:${(program.address() as AddressInfo).port}/hooks`;
    const made = await json<{ id: string; secret: string; status_url: string; messages_url: string }>(
      ...[
        'webhook',
        'create',
        url,
        '--from',
        '15550001001',
        '--only',
        'messages',
        '--extension',
        'own_messages',
      ],
    );
    assert.deepEqual([made.messages_url, made.status_url], [url, '']);
    const listening = await begin('listen', '--kind', 'message');
    await listening.until(() => listening.output.stderr.includes('Listening'));
    assert.match((await run('sandbox', 'reply', ADA, '15550001001', 'Is it ready?')).stdout, /^Sent as /);
    await listening.until(() => listening.output.stdout.includes('Is it ready?'));
    assert.match((await run('sandbox', 'messages', ADA)).stdout, /Is it ready\?/);
    assert.match((await run('webhook', 'test')).stdout, /on its way/);
    assert.match(
      (await run('webhook', 'list')).stdout,
      new RegExp(`${made.id} +15550001001 +active +messages: ${url}`),
    );
    assert.notEqual((await json<{ secret: string }>('webhook', 'rotate-secret')).secret, made.secret);
    assert.match((await run('webhook', 'delete', made.id)).stdout, /is gone/);
    assert.match((await run('webhook', 'test')).stderr, /this account has no webhook/);
    assert.match((await run('sandbox', 'reply', '15550009999', ADA, 'x')).stderr, /^parley: .+\n$/);
    program.close();
    program.closeAllConnections();
    await json('session', 'delete', '15550003009');
  },

  async 'pair draws a square QR beside its results, and Ctrl-C ends it'() {
    const { gateway, demoAccount, json, begin } = await openHarness();
    await json('device', 'add', demoAccount, '15550003010');
    const pairing = await begin('pair', '15550003010');
    await pairing.until(() => pairing.output.stderr.includes('scan this'));
    const lines = pairing.output.stderr.split('\n').filter((line) => /^[█▀▄ ]+$/.test(line));
    const [width = 0] = lines.map((line) => line.length);
    assert.ok(
      lines.length > 20 && Math.abs(lines.length * 2 - width) <= 2,
      `${lines.length} lines of ${width}`,
    );
    assert.equal(pairing.output.stdout, '');
    pairing.kill('SIGINT');
    const { code, stderr } = await pairing.ended();
    assert.equal(code, 1);
    assert.match(stderr, /parley: stopped before the number was linked\n$/);
    assert.equal((await fetch(`${gateway.url}/healthz`)).status, 200);
  },

  async 'pair links the owner of a guarded number to a page, and prints the outcome'() {
    const { gateway, demoAccount, env, json, begin, onPhone } = await openHarness();
    await json('device', 'add', demoAccount, GUARDED);
    const passkeys = createSoftAuthenticator({ origin: 'https://localhost' });
    await onPhone('/phones', { phone: GUARDED, name: 'Gus', requires_passkey: true });
    const asked = await onPhone<Parameters<SoftAuthenticator['create']>[0]>(`/phones/${GUARDED}/passkey`);
    await onPhone(`/phones/${GUARDED}/passkey`, passkeys.create(asked));

    const forPeople = await begin('pair', GUARDED, '--code');
    const code = await shown(forPeople, /^([0-9A-Z]{4}-[0-9A-Z]{4})$/m);
    await onPhone(`/phones/${GUARDED}/enter-code`, { code });
    const page = await shown(forPeople, /guarded by a passkey.*\s+(http\S+\/link\/\S+)/);
    assert.equal((await fetch(page)).status, 200);
    forPeople.kill('SIGINT');
    await forPeople.ended();

    const forMachines = await begin('pair', GUARDED, '--json');
    await onPhone(`/phones/${GUARDED}/scan`, { qr: await shown(forMachines, /"qr":"([^"]+)"/) });
    const challenge = await shown(forMachines, /"challenge":"([^"]+)"/);
    const onboarding = await shown(forMachines, /"onboard_id":"([^"]+)"/);
    const answer = await fetch(`${gateway.url}/v1/onboard/${onboarding}/passkey`, {
      method: 'POST',
      headers: { authorization: `Bearer ${env.PARLEY_API_KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify(passkeys.get({ challenge, rpId: 'localhost' })),
    });
    assert.equal(answer.status, 200, await answer.text());
    assert.equal((await forMachines.ended()).code, 0);
    await json('session', 'delete', GUARDED);
  },

  async 'send sends texts, files and every other kind, once per key, and waits on request'() {
    const { run, json, onPhone, eventually } = await openHarness();
    const sent = await run('send', ADA, 'Hello from a shell', '--wait');
    assert.match(sent.stdout, /is (delivered|read)\n$/);
    assert.match(sent.stderr, /Accepted as \w+, waiting/);
    const first = await json<{ message_id: string }>(
      'send',
      ADA,
      'Once',
      '--from',
      '15550001001',
      '--id',
      'order-7',
    );
    const second = await json('send', `+${ADA}`, 'Once', '--from', '15550001001', '--id', 'order-7');
    assert.deepEqual(second, first);
    await json('send', ADA, '--data', '{"type": "location", "latitude": 53.5, "longitude": 10}');
    await eventually(async () => {
      const { messages } = await onPhone<{
        messages: { type: string; text: string }[];
      }>(`/phones/${ADA}/messages`);
      return (
        messages.filter(({ text }) => text === 'Once').length === 1 &&
        messages.some(({ type }) => type === 'location')
      );
    });
    assert.match((await run('session', 'list')).stdout, /15550001001 +connected/);

    const folder = newFolder();
    const file = join(folder, 'tides.pdf');
    writeFileSync(file, '%PDF-1.4 high water at nine');
    const { media_id } = await json<{ media_id: string }>('media', 'upload', file);
    assert.equal((await run('media', 'get', media_id)).stdout, '%PDF-1.4 high water at nine');
    const copy = join(folder, 'copy.pdf');
    const written = await run('media', 'get', media_id, '--out', copy);
    assert.match(written.stdout, /copy\.pdf: application\/pdf, 27 bytes/);
    assert.equal(readFileSync(copy, 'utf8'), '%PDF-1.4 high water at nine');
    const again = await run('media', 'get', media_id, '--out', copy);
    assert.equal(again.code, 1);
    assert.match(again.stderr, /copy\.pdf is there already/);
    assert.match((await run('media', 'upload', join(folder, 'none'))).stderr, /none cannot be read/);
    assert.match((await run('media', 'get', 'med_none')).stderr, /media not found/);
  },

  async 'listen prints events, and forwards them as webhooks that verify'() {
    const { begin, onPhone } = await openHarness();
    const received: Promise<ParleyEvent>[] = [];
    const program = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      received.push(verifyWebhook(Buffer.concat(chunks), request.headers, 'whsec_of_mine'));
      response.end();
    });
    await new Promise<void>((ready) => program.listen(0, '127.0.0.1', ready));
    const url = `http://127.0.0.1:${(program.address() as AddressInfo).port}/hooks`;
    const listening = await begin(
      'listen',
      '--kind',
      'message',
      '--forward',
      url,
      '--secret',
      'whsec_of_mine',
    );
    await listening.until(() => listening.output.stderr.includes('Listening'));
    await onPhone(`/phones/${ADA}/messages`, { to: '15550001001', text: 'Is it ready? 👋' });
    await listening.until(() => listening.output.stderr.includes('→ 200'));
    assert.match(listening.output.stdout, /"text":"Is it ready\? 👋"/);
    assert.deepEqual(
      (await Promise.all(received)).map((event) => event.kind === 'message' && event.text),
      ['Is it ready? 👋'],
    );
    program.close();
    program.closeAllConnections();
    await onPhone(`/phones/${ADA}/messages`, { to: '15550001001', text: 'Still there?' });
    await listening.until(() => listening.output.stderr.includes('not delivered'));
    listening.kill('SIGINT');
    assert.equal((await listening.ended()).code, 0);
  },

  async 'deliveries lists dead ones, and sends them again'() {
    const { gateway, env, run, json, onPhone, eventually } = await openHarness();
    const log = async (...more: string[]) =>
      (
        await json<{ deliveries: { delivery_id: string; attempts: unknown[] }[] }>(
          'deliveries',
          'list',
          ...more,
        )
      ).deliveries;
    let answer = 503;
    const receiver = createServer((request, response) => {
      request.resume();
      response.writeHead(answer).end();
    });
    await new Promise<void>((ready) => receiver.listen(0, '127.0.0.1', ready));
    const messages_url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
    const body = JSON.stringify({ session_id: '15550001001@s.whatsapp.net', messages_url });
    const headers = { authorization: `Bearer ${env.PARLEY_API_KEY}`, 'content-type': 'application/json' };
    const made = await fetch(`${gateway.url}/v1/webhooks`, { method: 'POST', headers, body });
    const { id: webhook } = (await made.json()) as { id: string };
    const deliveredBefore = (await log('--status', 'delivered')).length;
    await onPhone(`/phones/${ADA}/messages`, { to: '15550001001', text: 'Lost?' });
    for (const [attempts, seconds] of [
      [1, 40],
      [2, 400],
      [3, 2_400],
      [4, 0],
    ] as const) {
      await eventually(async () => (await log())[0]?.attempts.length === attempts);
      await onPhone('/clock', { advance_seconds: seconds });
    }
    await eventually(async () => (await log('--status', 'dead')).length === 1);
    assert.match((await run('deliveries', 'list')).stdout, /message +dead +4 +503/);
    answer = 204;
    assert.match((await run('deliveries', 'redeliver', '--all')).stdout, /^1 on their way again/);
    await eventually(async () => (await log('--status', 'delivered')).length === deliveredBefore + 1);
    await json('webhook', 'delete', webhook);
    receiver.close();
  },

  async 'an error is one sentence'() {
    const { run } = await openHarness();
    for (const [args, words] of [
      [['send'], /to is missing; try parley send --help/],
      [['send', ADA], /there is nothing to send/],
      [['send', ADA, 'hi', 'there'], /"there" is one word too many/],
      [['send', ADA, '--data', '[1]'], /--data must be a JSON object/],
      [['send', ADA, '--data', '{"txt": 1}'], /txt/],
      [['send', ADA, 'hi', '--frm', '1'], /unknown option '--frm'/],
      [['send', ADA, 'hi', '--key', 'pk_wrong'], /api key missing or invalid; pass another with --key/],
      [
        ['send', ADA, 'hi', '--url', 'http://127.0.0.1:9'],
        /cannot be reached at http:\/\/127.0.0.1:9; start it/,
      ],
      [['send', ADA, 'hi', '--url', 'gateway'], /"gateway" is not the address of a gateway/],
      [['send', '15550009999', 'hi', '--wait'], /failed: INVALID_RECIPIENT/],
      [['account', 'list', '--token', 'a-wrong-operator-token'], /operator token missing or invalid/],
      [['account', 'remove'], /parley account has no command "remove"/],
      [['device', 'add', 'acc_1', '1', '--plan', 'huge'], /--plan must be one of free, pro, max, partner/],
      [['device', 'set', '15550001001'], /pass --plan or --status/],
      [['device', 'set', '15550007777', '--plan', 'pro'], /15550007777 is not registered/],
      [['deliveries', 'redeliver'], /pass the id of one delivery, or --all/],
      [['completion', 'tcsh'], /shell must be one of bash, zsh, fish/],
    ] as const) {
      const { code, stdout, stderr } = await run(...args);
      assert.deepEqual({ code, stdout }, { code: 1, stdout: '' }, args.join(' '));
      assert.match(stderr.replace(/^Accepted.*\n/, ''), /^parley: [^\n]+\n$/, args.join(' '));
      assert.match(stderr, words);
    }
  },

  async 'the error for a missing key or token says where to get one'() {
    const bare = (...args: string[]) => runParley({ dataDir: newFolder(), args });
    assert.match(
      (await bare('send', ADA, 'hi')).stderr,
      /set PARLEY_API_KEY; parley key create makes one \(the demo's own was shown/,
    );
    assert.match(
      (await bare('account', 'list')).stderr,
      /set PARLEY_OPERATOR_TOKEN, to what the gateway was started with/,
    );
  },

  // Last, because a phone writes repeatedly here, an unknown number of times.
  async 'commands work in pipes: they read input, write results, and end when the reader closes the pipe'() {
    const { gateway, env, onPhone, eventually } = await openHarness();
    const inShell = (line: string) =>
      promisify(execFile)('sh', ['-c', line], {
        env: { PATH: '/usr/bin:/bin', PARLEY: `${process.execPath} ${launcher}`, ...env },
      });
    const sent = await inShell(`printf 'first line\\nsecond line\\n' | $PARLEY send ${ADA} - --json`);
    assert.match(JSON.parse(sent.stdout).message_id, /^\w+$/);
    await eventually(async () => {
      const { messages } = await onPhone<{ messages: { text: string }[] }>(`/phones/${ADA}/messages`);
      return messages.some(({ text }) => text === 'first line\nsecond line');
    });
    const reading = inShell('$PARLEY listen --json --kind message | head -n 1');
    let hasLeft = false;
    void reading.finally(() => {
      hasLeft = true;
    });
    // The command notices the closed pipe at its next output.
    await eventually(async () => {
      await onPhone(`/phones/${ADA}/messages`, { to: '15550001001', text: 'Are you there?' });
      return hasLeft;
    });
    const { stdout, stderr } = await reading;
    assert.equal(JSON.parse(stdout).event.text, 'Are you there?');
    assert.doesNotMatch(stderr, /EPIPE/);
    assert.equal((await fetch(`${gateway.url}/healthz`)).status, 200);
  },
};

/** Waits until a command has printed the words, and returns the matched group. */
async function shown(command: Parley, words: RegExp): Promise<string> {
  let found = '';
  await command.until(() => {
    found = words.exec(`${command.output.stdout}${command.output.stderr}`)?.[1] ?? '';
    return found !== '';
  });
  return found;
}
