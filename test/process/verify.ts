import { strict as assert } from 'node:assert';
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { RED_VIDEO, VOICE } from '@parley/codecs/testing';
import { CHECKLIST } from '../../packages/gateway/src/cli/verify/checklist.ts';
import { type CliHarness, openHarness } from './harness.ts';
import type { Cases } from './run-cases.ts';

const A = '15550001001';
const B = '15550004001';

interface Report {
  readonly counts: { readonly pass: number; readonly fail: number; readonly skipped: number };
  readonly codes: Readonly<Record<string, number>>;
  readonly lines: readonly { readonly id: string; readonly outcome: string; readonly codes?: string[] }[];
}

export const verifyCases: Cases = {
  async 'two linked numbers go through the checklist, over a kill in the middle, and a failing line is named'() {
    const harness = await openHarness();
    const { demoAccount, gateway, json, run, begin, onPhone } = harness;
    const { slot_id } = await json<{ slot_id: string }>('device', 'add', demoAccount, B, '--plan', 'max');
    await onPhone('/phones', { phone: B, name: 'Second' });
    const pairing = await begin('pair', slot_id, '--json');
    await pairing.until(() => /"qr":"([^"]+)"/.test(pairing.output.stdout));
    const [, qr = ''] = /"qr":"([^"]+)"/.exec(pairing.output.stdout) ?? [];
    await onPhone(`/phones/${B}/scan`, { qr });
    assert.equal((await pairing.ended()).code, 0);

    const first = await begin('verify', '--a', A, '--b', B, '--yes');
    await first.until(() => /text-both-ways: /.test(first.output.stderr));
    assert.match(first.output.stderr, /text-both-ways: pass/);
    first.kill('SIGKILL');
    await assert.rejects(first.ended(), /did not end/);

    const { stdout, stderr, code } = await run('verify', '--a', A, '--b', B, '--yes', '--json');
    assert.equal(code, 0, stderr + stdout);
    const report: Report = JSON.parse(stdout);
    assert.equal(
      report.counts.fail,
      0,
      JSON.stringify(report.lines.filter(({ outcome }) => outcome === 'fail')),
    );
    assert.equal(report.counts.pass, 11);
    assert.ok(report.counts.skipped > 40);
    for (const { outcome, codes } of report.lines)
      if (outcome === 'skipped') assert.deepEqual(codes, ['needs_hands']);

    const files = readdirSync(gateway.dataDir).filter((file) => file.startsWith('verify-'));
    assert.equal(files.length, 2);
    for (const file of files) {
      assert.equal(statSync(join(gateway.dataDir, file)).mode & 0o777, 0o600);
      const text = readFileSync(join(gateway.dataDir, file), 'utf8');
      for (const secret of [A, B, 'Second', 'Parley verify'])
        assert.ok(!text.includes(secret), `${file}: ${secret}`);
    }
    const again = await run('verify', '--a', A, '--b', B, '--yes');
    assert.match(again.stderr, /Resuming: (\d+) of \1 lines are done/);

    // A minute later the plan's rate is there again.
    await onPhone('/clock', { advance_seconds: 120 });
    await answersAsAPerson(harness);

    const { linked_devices } = await onPhone<{ linked_devices: { session_id: string }[] }>(`/phones/${A}`);
    await onPhone('/faults', { session_id: linked_devices[0]?.session_id, fault: 'send_permanent' });
    await onPhone('/clock', { advance_seconds: 120 });
    const broken = await run('verify', '--a', A, '--b', B, '--yes', '--anew');
    assert.equal(broken.code, 1);
    assert.match(broken.stderr, /text-both-ways: fail SEND_FAILED/);
    assert.match(broken.stderr, /1 lines failed/);
    assert.equal((await run('verify', '--a', A, '--b', A)).code, 1);
    assert.equal((await run('session', 'delete', B)).code, 0);
  },
};

const PROMPT = '(y) as described, (n) not, (s) skip:';

/** A person at the keyboard, whose hands are the virtual phones; B is here the first number. */
async function answersAsAPerson(harness: CliHarness): Promise<void> {
  const { beginTyped, onPhone, run } = harness;
  const first = await beginTyped('verify', '--a', B, '--b', A);
  // A line is asked about again until its answer is one of the three.
  for (const [asked, typed] of ['y', 'perhaps', 's', 'n'].entries()) {
    await first.until(() => first.output.stderr.split(PROMPT).length > asked + 1);
    first.type(typed);
  }
  await first.until(() => first.output.stderr.includes('pairing-code-while: fail'));
  assert.match(first.output.stderr, /is-a-learned: pass/);
  assert.match(first.output.stderr, /is-0-now: skipped/);
  first.kill('SIGKILL');
  await assert.rejects(first.ended(), /did not end/);
  await onPhone('/clock', { advance_seconds: 120 });

  const shown = handsOf(harness);
  const hands: Readonly<Record<string, () => Promise<boolean>>> = {
    'to-b-b': async () => (await shown({ text: 'By hand' })).text === 'By hand',
    'video-thumbnail': async () => {
      const { media } = await shown({ media_type: 'video', ...inline(RED_VIDEO, 'video/mp4') });
      return (
        media?.seconds === 2 && media.width === 64 && media.streamed === true && media.thumbnail !== undefined
      );
    },
    'voice-waveform': async () => {
      const { media } = await shown({ media_type: 'audio', ...inline(VOICE, 'audio/ogg') });
      return media?.seconds === 2 && Buffer.from(media.waveform ?? '', 'base64').length === 64;
    },
  };
  const second = await beginTyped('verify', '--a', B, '--b', A);
  await second.until(() => /Resuming: 14 of /.test(second.output.stderr));
  for (let asked = 0, done = 0; done < Object.keys(hands).length; asked += 1) {
    await second.until(() => second.output.stderr.split(PROMPT).length > asked + 1);
    const question = second.output.stderr.split(PROMPT)[asked] ?? '';
    const line = CHECKLIST.flatMap((chapter): readonly Line[] => chapter.lines).find(({ text }) =>
      question.includes(text),
    );
    const look = hands[line?.id ?? ''];
    if (look) done += 1;
    second.type(look ? ((await look()) ? 'y' : 'n') : 's');
  }
  second.type();
  const { code, stderr } = await second.ended();
  assert.equal(code, 1);
  assert.match(stderr, /the input ended with \d+ lines left/);

  const { stdout, ...third } = await run('verify', '--a', B, '--b', A, '--yes', '--json');
  assert.equal(third.code, 1);
  assert.match(third.stderr, /1 lines failed/);
  const { counts, lines }: Report = JSON.parse(stdout);
  const outcomeOf = (id: string) => lines.find((line) => line.id === id)?.outcome;
  assert.deepEqual(['is-a-learned', 'is-0-now', 'pairing-code-while', ...Object.keys(hands)].map(outcomeOf), [
    'pass',
    'skipped',
    'fail',
    'pass',
    'pass',
    'pass',
  ]);
  // Eleven by the command, four by the person.
  assert.deepEqual([counts.pass, counts.fail], [15, 1]);
}

interface Line {
  readonly id: string;
  readonly text: string;
}

interface Shown {
  readonly message_id: string;
  readonly text?: string;
  readonly media?: Readonly<Record<'seconds' | 'width', number>> &
    Readonly<Record<'thumbnail' | 'waveform', string>> & { readonly streamed?: true };
}

const inline = (bytes: Buffer, mimetype: string) => ({ media_base64: bytes.toString('base64'), mimetype });

/** Sends from B to A, and looks at what the phone of A shows. */
function handsOf({ gateway, env, onPhone, eventually }: CliHarness) {
  return async (message: object): Promise<Shown> => {
    const call = async (place: string, body?: object) => {
      const answer = await fetch(`${gateway.url}/v1/${place}`, {
        method: body ? 'POST' : 'GET',
        headers: {
          authorization: `Bearer ${env.PARLEY_API_KEY}`,
          'content-type': 'application/json',
          'idempotency-key': randomUUID(),
        },
        ...(body && { body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      assert.ok(answer.ok, text);
      return JSON.parse(text);
    };
    const { sessions }: { sessions: { phone: string; session_id: string }[] } = await call('sessions');
    const session_id = sessions.find(({ phone }) => phone === B)?.session_id;
    const { message_id: sent } = await call('messages', { session_id, to: A, ...message });
    let shown: Shown | undefined;
    await eventually(async () => {
      const { messages } = await onPhone<{ messages: Shown[] }>(`/phones/${A}/messages`);
      shown = messages.find(({ message_id }) => message_id === sent);
      return shown !== undefined;
    });
    return shown ?? assert.fail('it is not shown');
  };
}
