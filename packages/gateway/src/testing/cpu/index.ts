/** Garbage collection, compilation and a busy machine are no fault of the work, and do not repeat with it. */
const TRIES = 8;

/** Processor time of this thread alone, because tests run in parallel in one process. */
async function cpuMs(work: () => unknown): Promise<number> {
  const before = process.threadCpuUsage();
  await work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}

/** Least processor time of several tries; stops at the first that is within the limit. */
export async function leastCpuMs(limitMs: number, work: () => unknown): Promise<number> {
  return least(limitMs, () => cpuMs(work));
}

/** Floor of a surface: the processor time of its cheapest large request, as the mean of many, because some machines count in steps of milliseconds. */
export async function meanCpuMs(times: number, work: () => unknown): Promise<number> {
  const all = await cpuMs(async () => {
    for (let each = 0; each < times; each++) await work();
  });
  return all / times;
}

/** Growth of the cost between two lengths: the least ratio of several tries, which quadratic work cannot keep within the limit in any. */
export async function leastGrowth(
  { short, long, limit }: { short: number; long: number; limit: number },
  work: (length: number) => unknown,
): Promise<number> {
  await work(short);
  return least(
    limit,
    async () => (await cpuMs(() => work(long))) / Math.max(await cpuMs(() => work(short)), 1),
  );
}

async function least(limit: number, measure: () => Promise<number>): Promise<number> {
  let found = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < TRIES && found > limit; tries++) found = Math.min(found, await measure());
  return found;
}
