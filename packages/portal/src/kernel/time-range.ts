/** Range between two typed local times, up to the end of the last minute. Leaves invalid times out. */
export function timeRange(from: string, to: string): { from_unix?: number; to_unix?: number } {
  const [begin, end] = [unixOf(from), unixOf(to)];
  return {
    ...(begin !== undefined && { from_unix: begin }),
    ...(end !== undefined && { to_unix: end + 59 }),
  };
}

function unixOf(local: string): number | undefined {
  const ms = new Date(local).getTime();
  return Number.isNaN(ms) ? undefined : Math.floor(ms / 1_000);
}
