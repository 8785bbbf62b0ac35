import { strict as assert } from 'node:assert';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { openHarness } from './harness.ts';
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
    const { demoAccount, gateway, json, run, begin, onPhone } = await openHarness();
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

    const { linked_devices } = await onPhone<{ linked_devices: { session_id: string }[] }>(`/phones/${A}`);
    await onPhone('/faults', { session_id: linked_devices[0]?.session_id, fault: 'send_permanent' });
    // A minute later the plan's rate is there again.
    await onPhone('/clock', { advance_seconds: 120 });
    const broken = await run('verify', '--a', A, '--b', B, '--yes', '--anew');
    assert.equal(broken.code, 1);
    assert.match(broken.stderr, /text-both-ways: fail SEND_FAILED/);
    assert.match(broken.stderr, /1 lines failed/);
    assert.equal((await run('verify', '--a', A, '--b', A)).code, 1);
    assert.equal((await run('session', 'delete', B)).code, 0);
  },
};
