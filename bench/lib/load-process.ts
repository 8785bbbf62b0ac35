import autocannon from 'autocannon';
import type { Load, LoadResult } from './load.ts';

process.once('message', async (load: Load) => {
  const { url, method = 'GET', headers = {}, body, connections, seconds } = load;
  const result = await autocannon({
    url,
    method,
    headers,
    ...(body === undefined ? {} : { body }),
    connections,
    duration: seconds,
  });
  const answer: LoadResult = {
    requestsPerSecond: result.requests.average,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    failures: result.non2xx + result.errors + result.timeouts,
  };
  process.send?.(answer);
});
