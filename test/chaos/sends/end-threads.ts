import { systemRandom } from '@parley/gateway/kernel';

/** Preloaded into a gateway: ends every second hosting thread at a random moment of its first seconds, without warning. */
const LONGEST_LIFE_MS = 4_000;

process.on('worker', (thread) => {
  if (!thread.threadName?.startsWith('host-') || systemRandom.below(2) === 0) return;
  setTimeout(() => void thread.terminate(), systemRandom.below(LONGEST_LIFE_MS)).unref();
});
