import { strict as assert } from 'node:assert';
import { execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import path from 'node:path';
import { greyPng, RED_VIDEO, VOICE } from '@parley/codecs/testing';
import { packAll } from '../../tools/packaging/pack.ts';
import { findOldNode } from '../process/environment.ts';
import { clock } from '../process/parley.ts';
import { endWithUs } from '../services/cleanup.ts';
import { freePort, stopProcess } from '../services/processes.ts';

const LONGEST_START_MS = 60_000;
const ADA = '15550002001';
const MOST_INSTALLED_MB = 120;

/**
 * Installs the packages like a new user, each into an empty folder, and uses them: three commands to a delivered message with the
 * gateway's, the same with the SDK on every available Node.js, and the examples of the others.
 */
export async function tryPackages(workspace: string): Promise<string> {
  const packed = await packAll(path.join(workspace, 'packed'));
  const tarballOf = (name: string): string => packed.find((each) => each.name === name)?.tarball ?? '';
  const empty = (name: string, ...installed: string[]): string => {
    const folder = path.join(workspace, name);
    mkdirSync(folder);
    const args = ['install', '--no-audit', '--no-fund', '--prefer-offline', ...installed.map(tarballOf)];
    execFileSync('npm', args, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
    return folder;
  };

  const operator = empty('operator', 'parley-gateway');
  const installed = Number(execFileSync('du', ['-sm', operator], { encoding: 'utf8' }).split('\t')[0]);
  assert.ok(installed <= MOST_INSTALLED_MB, `parley-gateway takes ${installed} MB`);
  const bundle = path.join(operator, 'node_modules/parley-gateway/packages/gateway/dist');
  leadsToItsSource(bundle);
  assert.deepEqual(globSync('**/*.code', { cwd: bundle }), [], 'code of another Node.js');
  const url = `http://127.0.0.1:${await freePort()}`;
  const env = { PATH: `${path.dirname(process.execPath)}:/usr/bin:/bin`, PARLEY_PORT: new URL(url).port };
  const command = path.join(operator, 'node_modules/.bin/parley');
  const gateway = endWithUs(
    spawn(command, ['start'], { cwd: operator, env, stdio: ['ignore', 'pipe', 'inherit'] }),
    'SIGTERM',
  );
  try {
    const apiKey = await demoKeyOf(gateway);
    const own = { ...env, PARLEY_URL: url, PARLEY_API_KEY: apiKey };
    const said = execFileSync(command, ['send', ADA, 'Hello Ada', '--wait'], {
      cwd: operator,
      env: own,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    assert.match(said, /is (delivered|read)\n$/);
    await describesFiles(own);
    for (const page of ['/portal', '/docs', '/docs/guides/quickstart']) {
      const answer = await fetch(`${url}${page}`);
      assert.equal(answer.status, 200, page);
      assert.ok(!(await answer.text()).includes('not built yet'), page);
    }

    const integrator = empty('integrator', 'parley-sdk');
    writeFileSync(path.join(integrator, 'send.mjs'), SEND_WITH_THE_SDK);
    for (const node of new Set([process.execPath, findOldNode() ?? process.execPath])) {
      const output = execFileSync(node, ['send.mjs'], { cwd: integrator, env: own, encoding: 'utf8' });
      assert.match(output, /^(delivered|read)\n$/, node);
    }
  } finally {
    await stopProcess(gateway, 'SIGTERM');
  }

  const tester = empty('tester', 'parley-contract', 'parley-sandbox');
  const program = /```js\n(.*?)```/s.exec(
    readFileSync(path.join(tester, 'node_modules/parley-sandbox/README.md'), 'utf8'),
  )?.[1];
  writeFileSync(path.join(tester, 'network.mjs'), program ?? '');
  assert.match(
    execFileSync(process.execPath, ['network.mjs'], { cwd: tester, encoding: 'utf8' }),
    /^ws:\/\//,
  );
  writeFileSync(path.join(tester, 'contract.mjs'), ASK_THE_CONTRACT);
  assert.equal(
    execFileSync(process.execPath, ['contract.mjs'], { cwd: tester, encoding: 'utf8' }),
    '3.1.0 true\n',
  );
  const sizes = packed.map(({ name, bytes }) => `${name} ${Math.ceil(bytes / 1024)} KB`);
  return `${sizes.join(', ')}; parley-gateway takes ${installed} MB when it is installed`;
}

/** Finds a line of the bundle, as a stack trace would name it, in the sources. */
function leadsToItsSource(bundle: string): void {
  const [chunk = ''] = globSync('start.*.cjs', { cwd: bundle });
  const line = readFileSync(path.join(bundle, chunk), 'utf8').split('\n').indexOf(FIRST_LINE_OF_THE_APP);
  const map = new SourceMap(JSON.parse(readFileSync(path.join(bundle, `${chunk}.map`), 'utf8')));
  const entry = map.findEntry(line, 0);
  assert.ok(
    'originalSource' in entry && entry.originalSource.endsWith('/src/app/create-app.ts'),
    JSON.stringify(entry),
  );
}

const FIRST_LINE_OF_THE_APP = 'async function createApp(config, dependencies = {}) {';

async function demoKeyOf(gateway: ReturnType<typeof spawn>): Promise<string> {
  let output = '';
  gateway.stdout?.on('data', (chunk) => {
    output += chunk;
  });
  const giveUpAt = clock.monotonic() + LONGEST_START_MS;
  while (!output.includes('curl')) {
    assert.equal(gateway.exitCode, null, output);
    assert.ok(clock.monotonic() < giveUpAt, output);
    await clock.sleep(50);
  }
  return /pk_\w+/.exec(output)?.[0] ?? '';
}

/** What decodes files is in the package: a photo is set, and sent files are described on the phone. */
async function describesFiles({
  PARLEY_URL: url,
  PARLEY_API_KEY: key,
}: Record<string, string>): Promise<void> {
  const call = async (place: string, body?: object) => {
    const answer = await fetch(`${url}${place}`, {
      method: body ? 'POST' : 'GET',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        'idempotency-key': randomUUID(),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    assert.ok(answer.ok, `${place}: ${answer.status} ${text}`);
    return JSON.parse(text);
  };
  const { sessions } = await call('/v1/sessions');
  const [{ session_id: session }] = sessions;
  const inline = (bytes: Buffer, mimetype: string) => ({ media_base64: bytes.toString('base64'), mimetype });
  const picture = inline(greyPng(800, 600), 'image/png');
  const { picture_id: id } = await call(`/v1/sessions/${encodeURIComponent(session)}/profile/photo`, picture);
  assert.match(id, /\d+/, 'a photo of the number');

  const shown = async (media_type: string, file: object) => {
    const body = { session_id: session, to: ADA, media_type, ...file };
    const { message_id: sent } = await call('/v1/messages', body);
    const giveUpAt = clock.monotonic() + LONGEST_START_MS;
    for (;;) {
      const { messages } = await call(`/sandbox/v1/phones/${ADA}/messages`);
      const found = messages.find(({ message_id }: { message_id: string }) => message_id === sent);
      if (found) return found.media;
      assert.ok(clock.monotonic() < giveUpAt, `the ${media_type} arrives`);
      await clock.sleep(100);
    }
  };
  const isJpeg = (thumbnail: string) =>
    assert.deepEqual([...Buffer.from(thumbnail, 'base64').subarray(0, 3)], [0xff, 0xd8, 0xff], 'a thumbnail');

  const image = await shown('image', picture);
  assert.deepEqual([image.width, image.height], [800, 600]);
  isJpeg(image.thumbnail);
  const video = await shown('video', inline(RED_VIDEO, 'video/mp4'));
  assert.deepEqual([video.seconds, video.width, video.height, video.streamed], [2, 64, 36, true]);
  isJpeg(video.thumbnail);
  const voice = await shown('audio', inline(VOICE, 'audio/ogg'));
  assert.deepEqual([voice.seconds, Buffer.from(voice.waveform, 'base64').length], [2, 64]);
}

const SEND_WITH_THE_SDK = `
import { createParley } from 'parley-sdk';
const parley = createParley({ url: process.env.PARLEY_URL, apiKey: process.env.PARLEY_API_KEY });
const { sessions: [{ session_id }] } = await parley.sessions.list();
const { message_id } = await parley.messages.send({ session_id, to: '${ADA}', text: 'Hello from ' + process.version });
const { status } = await parley.messages.waitForStatus(message_id, { status: 'delivered' });
console.log(status);
`;

const ASK_THE_CONTRACT = `
import { buildOpenApi, parseSend } from 'parley-contract';
const { openapi } = buildOpenApi({ version: '1', serverUrl: 'http://127.0.0.1' });
console.log(openapi, parseSend({ session_id: '1@s.whatsapp.net', to: '15550002001', text: 'hi' }).ok);
`;
