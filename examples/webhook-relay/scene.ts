import { strict as assert } from 'node:assert';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { freePort } from '../../test/services/processes.ts';
import type { Scene } from '../stage/scene.ts';

const taken: { text?: string }[] = [];
/** A stand-in for n8n. */
const workflow = createServer(async (request, response) => {
  taken.push((await json(request)) as { text?: string });
  response.end();
});

export const scene: Scene = {
  async settings() {
    await once(workflow.listen(0, '127.0.0.1'), 'listening');
    const { port } = workflow.address() as AddressInfo;
    return { TARGET_URL: `http://127.0.0.1:${port}/webhook/parley`, PORT: `${await freePort()}` };
  },
  async play({ ada, number, program }) {
    await ada.says(number, 'Start the workflow');
    await program.prints('Relayed: message');
    assert.deepEqual(
      taken.map(({ text }) => text),
      ['Start the workflow'],
    );
    workflow.close();
  },
};
