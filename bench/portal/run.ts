import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { Page } from 'playwright-core';
import { createSystemClock } from '../../packages/gateway/src/kernel/index.ts';
import { launch } from '../../test/conformance/launch.ts';
import { launchChromium } from '../../test/services/chromium.ts';
import { runToEnd, stopProcess } from '../../test/services/processes.ts';
import { median } from '../lib/median.ts';
import { verdict } from '../lib/verdict.ts';
import { daysAreCounted, seed } from './seed.ts';

/**
 * Time from a click in the portal's navigation until the page is complete: in a large account, and in one with a single number,
 * in turns in the same browser. All past days are counted before the first page opens, as the gateway does in the background.
 *
 * npm run bench -- portal [--rounds 5] [--numbers 500] [--messages 100000] [--deliveries 10000]
 */
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    numbers: { type: 'string', default: '500' },
    messages: { type: 'string', default: '100000' },
    deliveries: { type: 'string', default: '10000' },
  },
});
const sizes = {
  numbers: Number(values.numbers),
  messages: Number(values.messages),
  deliveries: Number(values.deliveries),
};
const MOST_SECONDS = 0.3;
const MOST_SECONDS_FIRST = 1;
const OPERATOR = 'operator-of-the-benchmark';
const PASSWORD = 'correct horse battery staple';
const OWNERS = {
  much: { email: 'much@example.com', phone: '15557000000' },
  little: { email: 'little@example.com', phone: '15558000000' },
};
/** By the names in the navigation. */
const PAGES = [
  'Numbers',
  'API keys',
  'Webhooks',
  'Messages',
  'Activity',
  'Statistics',
  'API log',
  'Billing',
  'Team',
];

/** Until the page is shown and has no request in flight. */
const CHANGE = `async (name) => {
  const link = [...document.querySelectorAll('nav a')].find((each) => each.textContent.trim() === name);
  const started = performance.now();
  link.click();
  const isThere = () =>
    document.querySelector('h1')?.textContent === name && !document.querySelector('.skeleton') &&
    document.querySelector('main .card, main .empty, main table');
  while (!isThere()) await new Promise((next) => requestAnimationFrame(next));
  return performance.now() - started;
}`;

const clock = createSystemClock();
const dataDir = mkdtempSync(path.join(tmpdir(), 'parley-bench-portal-'));
const settings = {
  PARLEY_DATA_DIR: dataDir,
  PARLEY_PORT: '0',
  PARLEY_OPERATOR_TOKEN: OPERATOR,
  PARLEY_LOG_LEVEL: 'warn',
};

async function ask(url: string, headers: Record<string, string>, body: object): Promise<Response> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${await answer.text()}`);
  return answer;
}

async function makeOwners(url: string): Promise<void> {
  const operator = { authorization: `Bearer ${OPERATOR}` };
  for (const { email, phone } of Object.values(OWNERS)) {
    const given = { name: email, email, password: PASSWORD };
    const made = await ask(`${url}/operator/v1/accounts`, operator, given);
    const { account_id } = (await made.json()) as { account_id: string };
    await ask(`${url}/operator/v1/accounts/${account_id}/devices`, operator, { phone, plan: 'max' });
    const portal = { 'x-parley-portal': '1' };
    const signedIn = await ask(`${url}/portal/api/sign-in`, portal, { email, password: PASSWORD });
    const cookie = signedIn.headers
      .getSetCookie()
      .map((each) => each.split(';', 1)[0])
      .join('; ');
    const hook = { messages_url: 'https://receiver.example/hook' };
    await ask(`${url}/portal/api/numbers/${phone}/webhook`, { ...portal, cookie }, hook);
  }
}

await runToEnd(process.execPath, ['tools/build/run.ts']);
const before = await launch('start', settings);
await makeOwners(before.url);
await stopProcess(before.child, 'SIGTERM');
seed(dataDir, OWNERS.much.phone, sizes, clock.now());
const gateway = await launch('start', settings);
while (!daysAreCounted(dataDir, sizes)) await sleep(500);
const browser = await launchChromium();

async function signIn(email: string): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  await page.goto(`${gateway.url}/portal`);
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Numbers', level: 1 }).waitFor();
  return page;
}

try {
  const pages = { much: await signIn(OWNERS.much.email), little: await signIn(OWNERS.little.email) };
  const times = new Map<string, { much: number[]; little: number[] }>();
  const firsts: number[] = [];
  let firstStatistics = 0;
  for (let round = 0; round <= Number(values.rounds); round++) {
    for (const name of PAGES) {
      const ofPage = times.get(name) ?? { much: [], little: [] };
      times.set(name, ofPage);
      for (const who of ['little', 'much'] as const) {
        const took = Number(await pages[who].evaluate(`(${CHANGE})(${JSON.stringify(name)})`));
        // In round 0 its script is loaded.
        if (round > 0) ofPage[who].push(took);
        else if (name === 'Statistics' && who === 'much') firstStatistics = took;
      }
    }
    await pages.much.goto(`${gateway.url}/portal/messages`);
    await pages.much.getByRole('table', { name: 'Sent messages' }).waitFor();
    firsts.push(Number(await pages.much.evaluate('performance.now()')));
  }
  const medians = [...times].map(([name, { much, little }]) => ({
    name,
    much: median(much),
    little: median(little),
  }));
  for (const { name, much, little } of medians)
    console.log(
      `${name}: ${much.toFixed(0)} ms, with one number ${little.toFixed(0)} ms, ratio ${(much / little).toFixed(2)}`,
    );
  verdict({
    name: `the slowest change of page with ${values.numbers} numbers and ${values.messages} messages`,
    figure: Math.max(...medians.map(({ much }) => much)) / 1_000,
    unit: 's',
    atMost: MOST_SECONDS,
  });
  verdict({
    name: 'the first look at the statistics of all of them',
    figure: firstStatistics / 1_000,
    unit: 's',
    atMost: MOST_SECONDS,
  });
  verdict({
    name: 'a list of messages opened anew',
    figure: median(firsts) / 1_000,
    unit: 's',
    atMost: MOST_SECONDS_FIRST,
  });
} finally {
  await browser.close();
  await stopProcess(gateway.child, 'SIGTERM');
  rmSync(dataDir, { recursive: true, force: true });
}
