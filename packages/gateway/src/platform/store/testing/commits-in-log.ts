import { readFileSync } from 'node:fs';
import type { TestDatabase } from './databases.ts';

/** Counts the frames of the write-ahead log that end a transaction (https://sqlite.org/fileformat2.html#walformat). */
export function commitsInLog({ url }: TestDatabase): number {
  const log = readFileSync(`${url.slice('sqlite:'.length)}-wal`);
  const [headerSize, frameHeaderSize] = [32, 24];
  if (log.byteLength < headerSize) return 0;
  const frameSize = frameHeaderSize + log.readUInt32BE(8);
  const salt = log.subarray(16, 24);
  let commits = 0;
  for (let frame = headerSize; frame + frameSize <= log.byteLength; frame += frameSize) {
    const isOfThisLog = salt.equals(log.subarray(frame + 8, frame + 16));
    const pagesAfterCommit = log.readUInt32BE(frame + 4);
    if (isOfThisLog && pagesAfterCommit > 0) commits += 1;
  }
  return commits;
}
