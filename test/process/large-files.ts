import { strict as assert } from 'node:assert';
import { isNightly } from '../runner/nightly.ts';
import { openLinkedGateway } from './linked-gateway.ts';
import { memoryMb, watchMemory } from './memory.ts';
import type { Cases } from './run-cases.ts';

const AT_ONCE = isNightly ? 30 : 10;
const FILE_MB = 23;
/** Allowance for sockets, parts of files and garbage; the bodies together have more than 300 MB. */
const GROWTH_MB = 192;

export const largeFileCases: Cases = {
  async [`takes ${AT_ONCE} files of 31 MB in base64 at once, and keeps none of them in memory`]() {
    const env = { NODE_OPTIONS: '--max-old-space-size=256', PARLEY_COMPAT: 'evolution' };
    // The network is in another process: its phones hold whole files.
    const { gateway: parley, apiKey: key, ada } = await openLinkedGateway(env);
    const to = ada.phone;

    const ask = async (path: string, body: string | Buffer, apikey = key) => {
      const headers = { apikey, 'content-type': 'application/json' };
      const answer = await fetch(`${parley.url}/evolution${path}`, { method: 'POST', headers, body });
      return { status: answer.status, text: await answer.text() };
    };
    const made = await ask('/instance/create', JSON.stringify({ instanceName: 'shop' }));
    assert.equal(made.status, 201, made.text);

    const media = Buffer.alloc(FILE_MB * 1024 * 1024, 'file').toString('base64');
    const body = Buffer.from(
      JSON.stringify({ number: to, mediatype: 'document', mimetype: 'text/plain', media }),
    );
    const allAtOnce = (path: string, apikey?: string) =>
      Promise.all(Array.from({ length: AT_ONCE }, () => ask(path, body, apikey)));

    const quietMb = watchMemory(parley.pid);
    const strangers = await allAtOnce('/message/sendMedia/shop', 'pk_unknown');
    const nowhere = await allAtOnce('/message/sendMedia/elsewhere');
    const refusedMb = memoryMb(parley.pid) - quietMb;
    const sent = await allAtOnce('/message/sendMedia/shop');
    const grownMb = memoryMb(parley.pid) - quietMb;

    const statusesOf = (answers: typeof sent) => [...new Set(answers.map(({ status }) => status))];
    assert.deepEqual(statusesOf(strangers), [401]);
    assert.deepEqual(statusesOf(nowhere), [404]);
    const counts = Map.groupBy(sent, ({ status }) => status);
    const [taken, later] = [counts.get(201)?.length ?? 0, counts.get(429)?.length ?? 0];
    assert.equal(taken + later, AT_ONCE, JSON.stringify(sent.map(({ text }) => text.slice(0, 200))));
    assert.ok(taken > 0, 'none was taken');
    assert.ok(grownMb < GROWTH_MB, `its memory has grown by ${Math.round(grownMb)} MB`);
    return `memory grew by ${Math.round(refusedMb)} MB for those who were refused, and by ${Math.round(grownMb)} MB in all; ${taken} files were taken, ${later} asked to retry`;
  },
};
