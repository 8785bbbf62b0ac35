/**
 * Kills the gateway with SIGKILL at every stage of linking a guarded number, by QR and by code, with and without codes to
 * compare, while the network lives on. Afterwards either the number is linked, or the attempt has ended in a clear error, the
 * phone shows no device, and a new attempt works. A half-linked number fails the test.
 *
 * npm test -- pairing [--rounds 50] [--seed N]
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createSeededRandom, systemRandom } from '@parley/gateway/kernel';
import { startGateway } from '../../conformance/gateway.ts';
import { OPERATOR_TOKEN } from '../../conformance/gateway-access.ts';
import { launch } from '../../conformance/launch.ts';
import { makeTemporaryFolder } from '../../services/cleanup.ts';
import { stopProcess } from '../../services/processes.ts';
import { GuardedNumber, STAGES, type Stage } from './guarded-number.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '50' },
    seed: { type: 'string', default: `${systemRandom.below(2 ** 31)}` },
  },
});
const rounds = Number(values.rounds);
const chance = createSeededRandom(Number(values.seed));
/** A step of the ceremony takes a few milliseconds: the kill falls into it, or right after it. */
const LONGEST_PAUSE_MS = 60;
/** After the owner's last step the phone, the network and the first connection still have much to do. */
const LONGEST_AFTER_LAST_WORD_MS = 1_500;
const LAST_WORDS: readonly Stage[] = ['signed', 'confirmed'];
const ROUNDS_PER_REPORT = 10;

const folder = makeTemporaryFolder('parley-chaos-pairing-');
const network = await launch('sandbox', {
  PARLEY_DATA_DIR: folder.path,
  PARLEY_PORT: '0',
  PARLEY_OPERATOR_TOKEN: OPERATOR_TOKEN,
  PARLEY_LOG_LEVEL: 'warn',
});
const gateway = await startGateway({ PARLEY_SANDBOX_URL: network.url });
const tally = { linked: 0, ended: 0 };
try {
  for (let round = 0; round < rounds; round += 1) {
    const number = await GuardedNumber.register(gateway, network.url);
    const { stage, method } = STAGES[round % STAGES.length] ?? STAGES[0];
    await number.goTo(stage, method);
    await sleep(chance.below(LAST_WORDS.includes(stage) ? LONGEST_AFTER_LAST_WORD_MS : LONGEST_PAUSE_MS));
    await gateway.crash();
    const outcome = await number.settle(stage, method);
    tally[outcome] += 1;
    if (outcome === 'ended') await number.linkAfresh(method);
    await number.unlink();
    const done = round + 1;
    if (done % ROUNDS_PER_REPORT === 0 || done === rounds)
      console.log(
        `${done} kills: ${tally.linked} linked, ${tally.ended} ended in a clear error and linked afresh, 0 half linked`,
      );
  }
} finally {
  await gateway.stop();
  await stopProcess(network.child, 'SIGTERM');
  folder.remove();
}
